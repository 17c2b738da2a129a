import CLibrary
import Figures
import ImagePipeline
import LoopbackServer
import Streams
import StreamsTesting
import Synchronization

// A family's photos of 12 megapixels in three columns: decoded at the size of a cell, kept as they came, within bounds.

let album = try ServedAlbum()
let placeholder = Image(size: PixelSize(width: 1, height: 1), format: .grey8, bytes: [200])
let scratch = ScratchFolder.orExit("album")
var figures = Figures()

/// Shows all photos in cells of their own, and returns when the last one is there.
@MainActor
func showAll(from pipeline: ImageLoader) async -> [PhotoCell] {
    var (cells, open) = ([PhotoCell](), album.urls.count)
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
        for url in album.urls {
            let cell = PhotoCell(pipeline, placeholder: placeholder) {
                open -= 1
                if open == 0 { continuation.resume() }
            }
            cells.append(cell)
            cell.show(url)
        }
    }
    return cells
}

@MainActor
func count(_ cells: [PhotoCell], from provenance: Provenance) -> Int {
    cells.filter { if case .final(provenance) = $0.content.state { true } else { false } }.count
}

/// A server that fails twice, and three retries five seconds apart, none of which anybody waits for.
///
/// - Returns: How often the server was asked until the photo was there.
@MainActor
func attempts() async throws -> Int {
    let path = "/1.jpg"
    let earlier = album.server.log.requests(for: path).count
    album.server.route(
        path, .status(503), .status(503), .resource(album.files[path] ?? [], contentType: "image/jpeg"))
    let time = VirtualTimeScheduler()
    let patient = HTTPSource(CurlTransport()).retrying(.every(.seconds(5), times: 3), on: time)
        .decoded(on: ThreadPoolScheduler(width: 1))
    let isOver = Atomic(false)
    let load = Task {
        defer { isOver.store(true, ordering: .releasing) }
        return try await patient.image(for: ImageRequest(album.server.url(path), as: .fill(PhotoCell.pixels)))
    }
    // Whenever something waits for it, time passes.
    while !isOver.load(ordering: .acquiring) {
        if time.nextDue != nil { time.advance(by: .seconds(5)) }
        await Task.yield()
    }
    _ = try await load.value
    return album.server.log.requests(for: path).count - earlier
}

// Three columns of 120 points; then the same again, and the same after a restart, twice.
let disk = DiskCache(directory: scratch.path)
let first = ImageLoader.standard(disk: disk)
let cells = await showAll(from: first)
figures.add(
    Figure("photos from the network", count(cells, from: .network), "", .exactly(6)),
    Figure("again: photos from memory", count(await showAll(from: first), from: .memory), "", .exactly(6)))
let restarted = ImageLoader.standard(disk: disk)
figures.add(
    Figure(
        "after a restart: photos from the disk", count(await showAll(from: restarted), from: .disk), "", .exactly(6)),
    Figure("promoted: then from memory", count(await showAll(from: restarted), from: .memory), "", .exactly(6)),
    Figure("requests at the server in all", album.server.log.requests.count, "", .exactly(6)))

// The memory of a cell.
let whole = Double(ServedAlbum.size.width * ServedAlbum.size.height * 4)
let cell = Double(cells.map { $0.content.image?.bytes.count ?? 0 }.max() ?? 0)
figures.add(
    Figure("a cell's pixels, decoded whole", whole / 1e6, "MB"),
    Figure("a cell's pixels, decoded at its size", cell / 1e6, "MB", .atMost(0.52)),
    Figure("times less", whole / max(1, cell), "", .atLeast(90)))

// Files as they came.
let same = album.files.filter { path, bytes in
    let request = ImageRequest(album.server.url(path), as: .fill(PhotoCell.pixels))
    return disk.entry(for: request.dataKey).flatMap { try? $0.body() } == bytes
}
figures.add(Figure("files on disk that are the server's to the byte", same.count, "", .exactly(6)))

// Capacity and age, on a clock that stands still until it is set.
let small = ScratchFolder.orExit("album-small")
let clock = Atomic(1_000_000)
let largest = album.files.values.map(\.count).max() ?? 0
let limit = largest * 9 / 2
func bounded() -> DiskCache {
    DiskCache(directory: small.path, limits: .init(totalSize: limit, age: 7 * 86_400)) {
        .seconds(clock.load(ordering: .relaxed))
    }
}
_ = await showAll(from: .standard(disk: bounded()))
let size = bounded().contents().size
figures.add(Figure("a disk for half of them holds", Double(size) / Double(limit), "of its limit", .atMost(1)))
let kept = count(await showAll(from: .standard(disk: bounded())), from: .disk)
figures.add(Figure("photos found there", kept, "", .atLeast(1)))
clock.store(1_000_000 + 8 * 86_400, ordering: .relaxed)
figures.add(
    Figure(
        "photos found there after eight days", count(await showAll(from: .standard(disk: bounded())), from: .disk), "",
        .exactly(0)))

figures.add(Figure("attempts until it was there", try await attempts(), "", .exactly(3)))

let status = figures.report()
album.server.stop()
exit(status)
