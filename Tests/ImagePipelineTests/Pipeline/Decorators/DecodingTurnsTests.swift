import ImagePipeline
import Streams
import StreamsTesting
import Synchronization
import TestSupport
import Testing

@Suite("Turns of a decode")
final class DecodingTurnsTests: Sendable {
    private let time = VirtualTimeScheduler()
    private let done = Mutex<[String]>([])

    /// A load of a picture that comes in so many chunks, each of which takes its turn five milliseconds.
    private func load(_ name: String, chunks: Int, in queue: WorkQueue<HeldScheduler>) throws -> AnyCancellable {
        let file = try Pictures.textured(200, 150).encoded(as: .jpeg(quality: 85))
        let length = (file.count + chunks - 1) / chunks
        let pieces = stride(from: 0, to: file.count, by: length).map { Array(file[$0...].prefix(length)) }
        let source = AnySource<ImageRequest, DataEvent> { [time] _ in
            pieces.publisher.map { piece in
                time.advance(by: .milliseconds(5))
                return DataEvent.chunk(piece)
            }
            .setFailureType(to: LoadError.self)
            .prepend(.response(DataResponse(provenance: .file, expectedLength: file.count))).eraseToAnyPublisher()
        }
        let request = ImageRequest("http://localhost/\(name).jpg", previews: false)
        return source.decoded(in: queue).events(for: request).sink { _ in
            self.done.withLock { $0.append(name) }
        } receiveValue: { _ in
        }
    }

    @Test("A load that no other waits for keeps its turn for several pieces, and gives way to its scheduler yet")
    func alone() throws {
        let held = HeldScheduler(time)
        let load = try load("only", chunks: 24, in: WorkQueue(on: held))
        let turns = held.run()
        #expect(done.withLock { $0 } == ["only"])
        // About a hundred milliseconds are in its turns: one of four milliseconds at a time would be twenty.
        #expect((4...6).contains(turns), "\(turns) turns")
        withExtendedLifetime(load) {}
    }

    @Test("A load gives way to one that comes when it has worked for some milliseconds")
    func givingWay() throws {
        let held = HeldScheduler(time)
        let queue = WorkQueue(on: held)
        let large = try load("large", chunks: 24, in: queue)
        let small = try load("small", chunks: 5, in: queue)
        held.run()
        #expect(done.withLock { $0 } == ["small", "large"])
        withExtendedLifetime((large, small)) {}
    }

    @Test("A response takes no turn before there is something to decode, and the body behind it is complete")
    func response() throws {
        let file = try Pictures.textured(40, 30).encoded(as: .jpeg(quality: 85))
        let held = HeldScheduler(time)
        let bytes = PassthroughSubject<DataEvent, LoadError>()
        let source = AnySource<ImageRequest, DataEvent> { _ in bytes.eraseToAnyPublisher() }
        let sizes = Mutex<[PixelSize]>([])
        let load = source.decoded(in: WorkQueue(on: held)).events(for: ImageRequest("http://localhost/x.jpg")).sink(
            receiveCompletion: { _ in },
            receiveValue: { event in
                if case .final(let image, _) = event { sizes.withLock { $0.append(image.size) } }
            })
        bytes.send(.response(DataResponse(provenance: .network, expectedLength: file.count)))
        #expect(held.run() == 0)
        bytes.send(.chunk(file))
        #expect(held.run() == 1)
        bytes.send(completion: .finished)
        held.run()
        #expect(sizes.withLock { $0 } == [PixelSize(width: 40, height: 30)])
        withExtendedLifetime(load) {}
    }

    /// How a load ends whose source has these events.
    private func ends(of events: [DataEvent]) -> [Subscribers.Completion<LoadError>] {
        let held = HeldScheduler(time)
        let source = AnySource<ImageRequest, DataEvent> { _ in
            events.publisher.setFailureType(to: LoadError.self).eraseToAnyPublisher()
        }
        let ends = Mutex<[Subscribers.Completion<LoadError>]>([])
        let load = source.decoded(in: WorkQueue(on: held)).events(for: ImageRequest("http://localhost/x.jpg")).sink(
            receiveCompletion: { end in ends.withLock { $0.append(end) } }, receiveValue: { _ in })
        held.run()
        withExtendedLifetime(load) {}
        return ends.withLock { $0 }
    }

    @Test("Any number of responses may come before the body, however few events are asked for", arguments: 1...9)
    func responses(count: Int) throws {
        let file = try Pictures.textured(40, 30).encoded(as: .jpeg(quality: 85))
        let response = DataEvent.response(DataResponse(provenance: .network, expectedLength: file.count))
        let ends = ends(of: [DataEvent](repeating: response, count: count) + [.chunk(file)])
        guard ends.count == 1, case .finished? = ends.first else {
            Issue.record("\(ends) is no image")
            return
        }
    }

    @Test("A response without a body ends as it would with a turn of its own")
    func responseAlone() {
        let ends = ends(of: [.response(DataResponse(provenance: .network, expectedLength: 0))])
        guard ends.count == 1, case .failure? = ends.first else {
            Issue.record("\(ends) is no failure")
            return
        }
    }
}
