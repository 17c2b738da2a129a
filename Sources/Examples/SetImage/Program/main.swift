import CLibrary
import Figures
import ImagePipeline
import LoopbackServer
import PhotoGenerator

// An image is set by its URL: from memory, from the disk, from the network, in this order. Two servers have a file of one name; one
// of them replaces it; an unchanged one is not sent again; a failure is shown, and tried again.

let photos = try NumberedPhotos(landscapes: 1)
let shape = photos.size.pixels
let (home, other) = (try LoopbackServer(), try LoopbackServer())
let (name, news) = ("/photo.jpg", "/news.jpg")
@MainActor func serve(
    _ number: Int, on server: LoopbackServer, _ path: String = name, for cacheControl: String = "max-age=3600"
) throws -> [UInt8] {
    let bytes = try photos.file(number)
    server.route(
        path, .resource(bytes, contentType: "image/jpeg", entityTag: "\"\(number)\"", cacheControl: cacheControl))
    return bytes
}
let original = try serve(1, on: home)
_ = try serve(2, on: other)

let scratch = ScratchFolder.orExit("set-image")
func pipeline() -> ImageLoader { .standard(retries: nil, disk: DiskCache(directory: scratch.path)) }
let loader = pipeline()
let view = PhotoView(loader, shape: shape)
var figures = Figures()

// The order of the tiers.
await view.setImage(home.url(name))
figures.add(Figure("first: from the network", isSo: view.provenance == .network && view.number == 1))
await view.setImage(home.url(name))
figures.add(Figure("again: from memory", isSo: view.provenance == .memory && view.number == 1))
let restarted = PhotoView(pipeline(), shape: shape)
await restarted.setImage(home.url(name))
figures.add(
    Figure("after a restart: from the disk", isSo: restarted.provenance == .disk && restarted.number == 1),
    Figure("requests at the server so far", home.log.requests.count, "", .exactly(1)))

// As it was sent.
let stored = DiskCache(directory: scratch.path).entry(for: ImageRequest(home.url(name)).dataKey).flatMap {
    try? $0.body()
}
figures.add(Figure("bytes on disk are the server's", isSo: stored == original))

// One name on two servers.
await view.setImage(other.url(name))
figures.add(Figure("the other server's photo is its own", isSo: view.number == 2))
await view.setImage(home.url(name))
figures.add(Figure("and the first one's is, still", isSo: view.number == 1))

// A photo that may be another one tomorrow: what is stored is shown at once, as a degraded image, while the server is asked.
let briefly = "max-age=0, stale-while-revalidate=86400"
_ = try serve(5, on: home, news, for: briefly)
await view.setImage(home.url(news))

// Unchanged: the server says so in a word. Each view is one after a restart: in memory there is nothing.
let before = home.log.requests.count
let unchanged = PhotoView(pipeline(), shape: shape)
await unchanged.setImage(home.url(news))
let asked = home.log.requests.dropFirst(before)
figures.add(
    Figure("unchanged: answered with 304", asked.filter { $0.status == 304 }.count, "", .exactly(1)),
    Figure("unchanged: bytes of bodies sent", asked.reduce(0) { $0 + $1.bodyBytesSent }, "bytes", .exactly(0)),
    Figure("unchanged: the photo is there, and stays", isSo: unchanged.number == 5 && unchanged.beganDegraded(with: 5)))

// Replaced under its name.
_ = try serve(6, on: home, news, for: briefly)
let replaced = PhotoView(pipeline(), shape: shape)
await replaced.setImage(home.url(news))
figures.add(
    Figure("replaced: the old photo is there at once", isSo: replaced.beganDegraded(with: 5)),
    Figure("replaced: the new one follows", isSo: replaced.number == 6),
    Figure("replaced: nothing else between", isSo: Set(replaced.shown.compactMap(\.number)) == [5, 6]))

// A failure has an image of its own, and may be tried again.
home.route("/late.jpg", .status(503), .resource(try photos.file(4), contentType: "image/jpeg"))
let failure = try Image.decode(try photos.file(503))
let unlucky = PhotoView(loader, failureImage: failure, shape: shape)
await unlucky.setImage(home.url("/late.jpg"))
figures.add(Figure("a failure shows the failure image", isSo: unlucky.number == 503 && unlucky.provenance == nil))
await unlucky.retry()
figures.add(Figure("tried again, it is there", isSo: unlucky.number == 4))

let status = figures.report()
home.stop()
other.stop()
exit(status)
