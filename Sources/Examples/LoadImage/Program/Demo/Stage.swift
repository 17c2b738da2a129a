import CommandOutput
import Figures
import ImagePipeline
import LoopbackServer
import Streams

/// Where the scenes play: the photos on their server, a pipeline, a directory for its disk cache.
final class Stage: Sendable {
    typealias Report = (scene: Scene, tiles: [Tile])

    let photos: ServedPhotos
    let box: PixelSize
    private let cache: ScratchFolder
    /// The pipeline of all scenes but the third.
    private let loader: Loader

    init(photos: ServedPhotos, box: PixelSize) throws {
        self.photos = photos
        self.box = box
        cache = try ScratchFolder("load-image")
        loader = Loader(cache: cache.path)
    }

    private func request(_ path: String) -> ImageRequest {
        ImageRequest(photos.url(path), as: .fit(box))
    }

    private func load(_ path: String, from loader: Loader) -> Recording {
        Recording(loader.pipeline.events(for: request(path)))
    }

    /// A progressive JPEG over the network: degraded images, then the final one.
    func coldLoad() async throws -> Report {
        var scene = Scene(1, "Cold load")
        let path = photos.paths[0]
        let recording = load(path, from: loader)
        await recording.ended()
        scene.note(recording)
        let stages = recording.degraded
        scene.facts = ["\(stages.count) degraded images, then the final one", photos.traffic(path)]
        scene.expect(recording.provenance == .network, "the image comes from the network")
        scene.expect(!stages.isEmpty, "degraded images come before the final one")
        scene.expect(photos.server.log.requests(for: path).count == 1, "the server sees one request")
        let final = tile(recording, "FINAL", "FROM THE NETWORK")
        return (scene, Self.sample(stages.filter { $0.quality < 0.99 }, 5).map(Self.tile) + [final])
    }

    /// The same request again.
    func secondRequest() async throws -> Report {
        var scene = Scene(2, "The same again")
        let (recording, requests) = await loadAgain(from: loader, &scene)
        scene.expect(recording.provenance == .memory, "the image comes from memory")
        scene.expect(requests == 1, "the server sees no further request")
        return (scene, [tile(recording, "2 · THE SAME AGAIN", "FROM MEMORY")])
    }

    /// The same request in a new pipeline, as after a restart.
    func newPipeline() async throws -> Report {
        var scene = Scene(3, "New pipeline, same directory")
        let (recording, requests) = await loadAgain(from: Loader(cache: cache.path), &scene)
        scene.expect(recording.provenance == .disk, "the image comes from the disk")
        scene.expect(requests == 1, "the server sees no further request")
        return (scene, [tile(recording, "3 · A NEW PIPELINE", "FROM THE DISK")])
    }

    private func loadAgain(from loader: Loader, _ scene: inout Scene) async -> (Recording, requests: Int) {
        let path = photos.paths[0]
        let recording = load(path, from: loader)
        await recording.ended()
        scene.note(recording)
        scene.facts = ["the final image at once", "still \(photos.traffic(path))"]
        scene.expect(recording.final != nil, "there is a final image")
        return (recording, photos.server.log.requests(for: path).count)
    }

    /// Two subscribers for one URL at the same time.
    func twoAtOnce() async throws -> Report {
        var scene = Scene(4, "Two requests at once, one URL")
        let path = photos.paths[1]
        let pair = (load(path, from: loader), load(path, from: loader))
        await pair.0.ended()
        await pair.1.ended()
        scene.note(pair.0)
        scene.facts = ["both have the final image", photos.traffic(path)]
        scene.expect(pair.0.final != nil && pair.0.final == pair.1.final, "both have the same final image")
        scene.expect(photos.server.log.requests(for: path).count == 1, "the server sees one request")
        return (scene, [tile(pair.1, "4 · TWO AT ONCE", "1 TRANSFER FOR BOTH")])
    }

    /// A slot that is given another image in the middle of a load.
    func reusedSlot() async throws -> Report {
        var scene = Scene(5, "Slot reused in mid-load")
        let (first, second) = (photos.abandoned, photos.paths[3])
        let screen = await Screen(source: loader.pipeline)
        await screen.show(request(first))
        try await photos.server.log.wait(for: .bodyBytes(first, atLeast: 8000))
        await screen.firstImage()
        await screen.show(request(second))
        try await photos.server.log.wait(for: .ended(first, .clientClosed))
        await screen.ended()
        let shown = await screen.shown
        let after = shown.filter { $0.request == request(second) }
        scene.stage = after.last?.provenance.map { "\($0)" } ?? "none"
        let (sent, length) = (photos.bytesSent(first), photos.bytes(first)?.count ?? 0)
        scene.facts = [
            "first cancelled: its socket closed after \(sent.asBytes) of \(length.asBytes)",
            "then only the second shown, \(after.count) times",
        ]
        scene.expect(sent < length, "the first transfer is cut short")
        scene.expect(after.last?.provenance == .network, "the second image comes from the network")
        scene.expect(
            after.allSatisfy { photos.closest(to: $0.image) == second },
            "nothing of the first is shown after the second was asked for")
        let before = shown.last { $0.request == request(first) }
        let final = after.last.map { Tile.Content.image($0.image) } ?? .failure("NO IMAGE")
        return (
            scene,
            [
                Tile(
                    content: .abandoned(before?.image), title: "5 · SLOT REUSED: BEFORE",
                    note: "SOCKET CLOSED AT \(sent * 100 / max(1, length)) %"),
                Tile(content: final, title: "5 · SLOT REUSED: AFTER", note: "FROM THE NETWORK"),
            ]
        )
    }

    /// A URL that the server does not know.
    func failure() async throws -> Report {
        var scene = Scene(6, "A URL that fails")
        let recording = load(ServedPhotos.missing, from: loader)
        await recording.ended()
        scene.stage = "error"
        scene.facts = [recording.failure.map { "LoadError.\($0.caseName): \($0)" } ?? "no error"]
        guard case .status(404)? = recording.failure else {
            scene.expect(false, "the error is LoadError.status(404)")
            return (scene, [tile(recording, "6 · A URL THAT FAILS", "")])
        }
        return (scene, [Tile(content: .failure("STATUS 404"), title: "6 · A URL THAT FAILS", note: "A TYPED ERROR")])
    }

    private func tile(_ recording: Recording, _ title: String, _ note: String) -> Tile {
        guard let image = recording.final else { return Tile(content: .failure("NO IMAGE"), title: title, note: note) }
        return Tile(content: .image(image), title: title, note: note)
    }

    private static func tile(_ stage: Recording.Stage) -> Tile {
        Tile(content: .image(stage.image), title: "DEGRADED", note: "\(Int(stage.quality * 100)) % HAS ARRIVED")
    }

    /// At most `count` of them, the first and the last among them.
    private static func sample(_ stages: [Recording.Stage], _ count: Int) -> [Recording.Stage] {
        guard stages.count > count else { return stages }
        return (0..<count).map { stages[$0 * (stages.count - 1) / (count - 1)] }
    }
}

extension Scene {
    fileprivate mutating func note(_ recording: Recording) {
        stage = recording.provenance.map { "\($0)" } ?? recording.failure.map { "\($0)" } ?? "none"
    }
}
