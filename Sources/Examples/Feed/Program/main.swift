import CLibrary
import Figures
import ImagePipeline
import PhotoGenerator
import Streams

// Two tabs of posts that share half of them, toggled a dozen times, and the details of three posts: what the server has to send if all
// photos of each post are loaded; if it is the first ones; with memory and shared loads; and with the disk, over a restart.

let origin = try FeedServer()
let shape = NumberedPhotos.Size.small.pixels
let scratch = ScratchFolder.orExit("feed")
let threads = ThreadPoolScheduler(width: 2)
var figures = Figures()

/// The photos that a session has shown, and their cost to the server.
struct Session: Sendable {
    var requests = 0
    var bytes = 0
    var wrong = 0
    var failures: [String] = []
    var firstPage = Duration.zero
}

/// Toggles the tabs; shows all photos of each post, or the first one.
@MainActor
func toggle(_ feed: Feed, allPhotos: Bool, times: Int = 12) async throws -> Session {
    var session = Session()
    let (before, start) = (origin.server.log.requests.count, ContinuousClock.now)
    for turn in 0..<times {
        let posts = try await feed.posts(turn % 2 == 0 ? "popular" : "latest")
        let places = posts.flatMap { post in (0..<(allPhotos ? post.photoCount : 1)).map { (post: post, index: $0) } }
        for (place, photo) in zip(places, await feed.photos(places)) { note(place, photo, &session) }
        if turn == 0 { session.firstPage = ContinuousClock.now - start }
    }
    (session.requests, session.bytes) = origin.traffic(since: before)
    return session
}

/// Reads a photo's number back: results come in the order in which they were asked for, each what it should be.
@MainActor
func note(_ place: (post: Post, index: Int), _ photo: Result<Image, LoadError>, _ session: inout Session) {
    switch photo {
    case .success(let image):
        let number = IdentityStrip(in: image, ofShape: shape)?.number
        if number != place.post.id * 16 + place.index { session.wrong += 1 }
    case .failure(let error):
        session.failures.append("\(place.post.id)-\(place.index): \(error)")
    }
}

@MainActor
func report(_ name: String, _ session: Session) {
    figures.add(
        Figure("\(name): photos sent", session.requests), Figure("\(name): bytes", Double(session.bytes) / 1e6, "MB"),
        Figure("\(name): a full first page", session.firstPage / .milliseconds(1), "ms"),
        Figure("\(name): wrong photos", session.wrong, "", .exactly(0)))
}

@MainActor
func feed(_ images: some Source<ImageRequest, ImageEvent>) -> Feed {
    Feed(server: origin.server.url(""), images: images)
}

let plain = HTTPSource(CurlTransport()).decoded(on: threads)
let all = try await toggle(feed(plain), allPhotos: true)
report("all photos", all)
let first = try await toggle(feed(plain), allPhotos: false)
report("first photos", first)

let memory = MemoryCache<CacheKey, Image>(costLimit: 64 << 20)
let shared = try await toggle(feed(plain.coalesced().cached(in: memory)), allPhotos: false)
report("and memory", shared)

let standard = feed(ImageLoader.standard(disk: DiskCache(directory: scratch.path)))
let kept = try await toggle(standard, allPhotos: false)
report("and disk", kept)
figures.add(
    Figure("bytes beside the least there can be", Double(kept.bytes) / Double(origin.thumbnailBytes), "", .exactly(1)),
    Figure("times fewer bytes than all photos", Double(all.bytes) / Double(max(1, kept.bytes)), "", .atLeast(5)))

// The app starts anew, with the same directory.
let restarted = try await toggle(
    feed(ImageLoader.standard(disk: DiskCache(directory: scratch.path))), allPhotos: false, times: 2)
figures.add(
    Figure("after a restart: photos sent", restarted.requests, "", .exactly(0)),
    Figure("after a restart: wrong photos", restarted.wrong, "", .exactly(0)))

// A tap: the rest of the photos, in the order of their index. The first one is there already.
var details = Session()
let before = origin.server.log.requests.count
let posts = try await standard.posts("popular").filter { [1, 5, 7].contains($0.id) }
for post in posts {
    let places = (0..<post.photoCount).map { (post: post, index: $0) }
    for (place, photo) in zip(places, await standard.photos(places)) { note(place, photo, &details) }
}
figures.add(
    Figure("details: wrong or misplaced photos", details.wrong + details.failures.count, "", .exactly(0)),
    Figure(
        "details: photos sent", origin.traffic(since: before).requests, "",
        .exactly(Double(posts.reduce(0) { $0 + $1.photoCount - 1 }))))

// The photo that the server has lost is a typed failure wherever it is asked for, and of nothing else.
let missing = "\(FeedServer.missing)-0: \(LoadError.status(404))"
figures.add(
    Figure("the lost photo fails with its status, alone", isSo: Set(kept.failures + restarted.failures) == [missing]))

let status = figures.report()
origin.server.stop()
exit(status)
