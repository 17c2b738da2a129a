import ImageCodecs
import Streams
import StreamsTesting
import Synchronization
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("The state of a decode")
struct DecodingStateTests {
    private typealias State = DecodingState<VirtualTimeScheduler>

    private func state() -> State {
        State(
            decoder: ContentDecoder(options: DecodeOptions()), renditions: [.original],
            budget: PreviewBudget(scheduler: VirtualTimeScheduler()))
    }

    @Test(
        "A piece is halved that takes half a slice, down to 1 KB, and doubled that takes less than a quarter",
        arguments: [
            (spent: 999, count: 4_096, piece: 8_192), (1_000, 4_096, 4_096), (1_500, 4_096, 4_096),
            (1_999, 4_096, 4_096), (2_000, 4_096, 2_048), (9_000, 4_096, 2_048),
            // Less than a piece says nothing of what a larger one would take.
            (999, 4_095, 4_096), (2_000, 2_050, 1_025), (2_000, 2_048, 1_024), (2_000, 2_046, 1_024),
            (2_000, 1, 1_024),
        ])
    func pieces(spent: Int, count: Int, piece: Int) {
        var state = state()
        #expect(state.piece == 4_096)
        state.adaptPiece(to: .microseconds(spent), for: count, within: .milliseconds(4))
        #expect(state.piece == piece)
    }

    @Test(
        "What is no image is told from one that is broken by its type, its bytes and how many came",
        arguments: [
            // Of a known format, whatever the type says.
            (DecodeError.truncated(at: .init(format: .jpeg, byteOffset: 4)), "text/html", "<html", false),
            (.unknownFormat, "text/html", "<html", true), (.unknownFormat, "Text/HTML", "<html", true),
            (.unknownFormat, "image/jpeg", "<html", false), (.unknownFormat, "IMAGE/JPEG", "<html", false),
            (.unknownFormat, "application/octet-stream", "<html", false), (.unknownFormat, nil, "<html", false),
            // Nothing came.
            (.unknownFormat, nil, "", true), (.unknownFormat, "image/jpeg", "", true),
            (.truncated(at: .init(format: .jpeg, byteOffset: 0)), "image/jpeg", "", true),
        ] as [(DecodeError, String?, String, Bool)])
    func noImage(error: DecodeError, type: String?, beginning: String, isNoImage: Bool) {
        var state = state()
        state.begin(DataResponse(provenance: .network, contentType: type)) { _ in
            ContentDecoder(options: DecodeOptions())
        }
        let bytes = Array(beginning.utf8)
        state.notePrefix(bytes[...])
        state.progress = LoadProgress(received: bytes.count)
        switch state.loadError(error) {
        case .notAnImage(let found, let prefix):
            #expect(isNoImage && found == type?.lowercased() && prefix == beginning)
        case .decode(let found): #expect(!isNoImage && found == error)
        case let other: Issue.record("\(other)")
        }
    }

    @Test("A response behind bytes has another decoder made, and one before them has none")
    func decoders() {
        var state = state()
        var made = 0
        func begin() {
            state.begin(DataResponse(provenance: .network)) { _ in
                made += 1
                return ContentDecoder(options: DecodeOptions())
            }
        }
        begin()
        begin()
        #expect(made == 0)
        state.progress.received += 1
        begin()
        #expect(made == 1)
    }

    @Test("A decode asks for a few events ahead of what it has used up, and never for more")
    func ahead() throws {
        let photo = try Pictures.textured(200, 150).encoded(as: .jpeg(quality: 85))
        let requested = Atomic(0)
        let bytes = PassthroughSubject<DataEvent, LoadError>()
        let source = AnySource<ImageRequest, DataEvent> { _ in
            bytes.handleEvents(receiveRequest: { requested.add($0.max ?? 1_000, ordering: .relaxed) })
                .eraseToAnyPublisher()
        }
        let recorder = RecordingSubscriber<ImageEvent, LoadError>()
        source.decoded(on: ImmediateScheduler.shared).events(for: ImageRequest("http://localhost/a.jpg"))
            .subscribe(recorder)
        bytes.send(.response(DataResponse(provenance: .network, expectedLength: photo.count)))
        var sent = 1
        for start in stride(from: 0, to: photo.count, by: 500) {
            bytes.send(.chunk(Array(photo[start...].prefix(500))))
            sent += 1
            guard recorder.values.allSatisfy({ $0.finalValue == nil }) else { break }
            let ahead = requested.load(ordering: .relaxed) - sent
            #expect((1...4).contains(ahead), "\(ahead) behind \(sent)")
        }
        bytes.send(completion: .finished)
        #expect(recorder.provenance == .network && sent > 5)
    }

    @Test("Who comes while a decode is being cancelled begins another, which further ones share")
    func cancelling() throws {
        let photo = try Pictures.textured(200, 150).encoded(as: .jpeg(quality: 85))
        let bytes = PassthroughSubject<DataEvent, LoadError>()
        let (loads, onCancel) = (Counter(), Noted<@Sendable () -> Void>())
        let source = AnySource<ImageRequest, DataEvent> { _ in
            Deferred {
                loads.add()
                return bytes.handleEvents(receiveCancel: { onCancel.value?() })
            }.eraseToAnyPublisher()
        }
        .decoded(on: ImmediateScheduler.shared)
        let request = ImageRequest("http://localhost/a.jpg")
        let recorders = (0..<3).map { _ in RecordingSubscriber<ImageEvent, LoadError>() }
        source.events(for: request).subscribe(recorders[0])
        onCancel.note {
            onCancel.note {}
            source.events(for: request).subscribe(recorders[1])
        }
        recorders[0].cancel()
        #expect(loads.value == 2)
        source.events(for: request).subscribe(recorders[2])
        #expect(loads.value == 2)
        bytes.send(.response(DataResponse(provenance: .network, expectedLength: photo.count)))
        bytes.send(.chunk(photo))
        bytes.send(completion: .finished)
        #expect(recorders.map(\.provenance) == [nil, .network, .network])
    }

    @Test("A shared load is let go of when it has failed")
    func failedLoad() {
        final class Seen: Sendable {
            let priority = Mutex<LivePriority?>(nil)
        }
        let seen = Seen()
        let upstream = AnySource<ImageRequest, ImageEvent> { request in
            if case .live(let priority) = request.priority { seen.priority.withLock { $0 = priority } }
            return Fail(error: .notCached).eraseToAnyPublisher()
        }
        let source = upstream.coalesced()
        weak var priority: LivePriority?
        do {
            let recorder = RecordingSubscriber<ImageEvent, LoadError>()
            source.events(for: ImageRequest("http://localhost/a.jpg")).subscribe(recorder)
            #expect(recorder.failure != nil)
            priority = seen.priority.withLock { $0.take() }
        }
        #expect(priority == nil)
        withExtendedLifetime(source) {}
    }
}
