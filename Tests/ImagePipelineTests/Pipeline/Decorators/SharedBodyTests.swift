import Dispatch
import ImagePipeline
import Streams
import StreamsTesting
import Synchronization
import Testing

@Suite("One body for all who want it")
struct SharedBodyTests {
    private typealias Recorder = RecordingSubscriber<DataEvent, LoadError>

    /// A source whose newest load the test is; it counts loads, and what is requested of them.
    private final class Origin: Source {
        private let state = Mutex((emitter: Emitter<DataEvent, LoadError>?.none, loads: 0, cancels: 0))
        let request = Mutex<ImageRequest?>(nil)
        let discards = Atomic(0)

        var loads: Int { state.withLock { $0.loads } }
        var cancels: Int { state.withLock { $0.cancels } }
        var requested: Subscribers.Demand { state.withLock { $0.emitter }?.requested ?? .none }

        func events(for request: ImageRequest) -> AnyPublisher<DataEvent, LoadError> {
            self.request.withLock { $0 = request }
            return AnyPublisher.create { [self] emitter in
                state.withLock { ($0.emitter, $0.loads) = (emitter, $0.loads + 1) }
                return Disposable { self.state.withLock { $0.cancels += 1 } }
            }
        }

        func respond(_ length: Int? = nil) {
            let discard: @Sendable () -> AnyPublisher<Bool, Never> = { [self] in
                discards.wrappingAdd(1, ordering: .relaxed)
                return Just(true).eraseToAnyPublisher()
            }
            send(.response(DataResponse(provenance: .network, expectedLength: length, discard: discard)))
        }

        func send(_ event: DataEvent) { state.withLock { $0.emitter }?.send(event) }
        func send(_ bytes: [UInt8]) { send(.chunk(bytes)) }
        func end(_ completion: Subscribers.Completion<LoadError> = .finished) {
            state.withLock { $0.emitter }?.send(completion: completion)
        }
    }

    private let origin = Origin()
    private let request = ImageRequest("http://localhost/a.jpg")

    private func body(_ recorder: Recorder) -> [UInt8] {
        var bytes: [UInt8] = []
        for event in recorder.values {
            switch event {
            case .response: bytes = []
            case .chunk(let chunk): bytes += chunk
            }
        }
        return bytes
    }

    private func join(
        _ source: some Source<ImageRequest, DataEvent>, _ request: ImageRequest? = nil,
        demand: Subscribers.Demand = .unlimited
    ) -> Recorder {
        let recorder = Recorder(initialDemand: demand)
        source.events(for: request ?? self.request).subscribe(recorder)
        return recorder
    }

    @Test("Who joins in the middle gets all of the body, at a pace of their own, from one transfer")
    func joining() {
        let source = origin.coalesced()
        let first = join(source)
        origin.respond()
        origin.send([1, 2])
        // A source of one's own may send what is nothing.
        origin.send([])
        origin.send([3])
        let (late, slow) = (join(source), join(source, demand: .none))
        origin.send([4])
        origin.end()
        #expect(body(first) == [1, 2, 3, 4] && body(late) == [1, 2, 3, 4])
        #expect(slow.values.isEmpty && slow.completion == nil)
        for count in 1...4 {
            slow.request(.max(1))
            #expect(slow.values.count == count)
        }
        #expect(body(slow) == [1, 2, 3, 4] && [first, late, slow].allSatisfy(\.isFinished))
        #expect(origin.loads == 1)
        _ = join(source)
        #expect(origin.loads == 2, "what has ended is over")
    }

    @Test("The transfer has the highest priority of those who share it, whenever they come, leave or change it")
    func priority() throws {
        let source = origin.coalesced()
        let live = LivePriority(.low)
        func request(_ priority: LoadPriority) -> ImageRequest {
            var request = self.request
            request.priority = priority
            return request
        }
        let first = join(source, request(.live(live)))
        let shared = try #require(origin.request.withLock { $0 }?.priority)
        #expect(shared.level == .low)
        let second = join(source, request(.high))
        #expect(shared.level == .high)
        second.cancel()
        #expect(shared.level == .low)
        live.level = .normal
        #expect(shared.level == .normal && origin.loads == 1)
        first.cancel()
    }

    @Test("A further response begins the body anew for all, wherever they are")
    func restarts() {
        let source = origin.coalesced()
        let (fast, slow) = (join(source), join(source, demand: .max(2)))
        origin.respond()
        origin.send([1])
        origin.send([2])
        origin.respond()
        origin.send([7])
        slow.request(.unlimited)
        origin.send([8])
        origin.end(.failure(.status(500)))
        #expect(body(fast) == [7, 8] && body(slow) == [7, 8])
        #expect([fast, slow].allSatisfy { $0.completion != nil && !$0.isFinished && $0.violations.isEmpty })
    }

    @Test("Nothing is asked for that nobody wants, and the slowest may be a megabyte behind")
    func demand() {
        let source = origin.coalesced()
        let idle = join(source, demand: .none)
        #expect(origin.loads == 1 && origin.requested == .none)
        idle.request(.max(2))
        #expect(origin.requested == .max(2))
        origin.respond()
        let eager = join(source)
        let chunk = [UInt8](repeating: 0, count: 256 << 10)
        var sent = 0
        while origin.requested > .none, sent < 100 {
            origin.send(chunk)
            sent += 1
        }
        #expect((4...13).contains(sent))
        #expect(body(eager).count == sent << 18)
        idle.cancel()
        #expect(origin.requested > .none, "who stays is no longer held up")
        eager.cancel()
        #expect(origin.cancels == 1)
    }

    @Test("Who has got what they requested asks for nothing more, and who is behind for no more than is not there yet")
    func satisfied() {
        let source = origin.coalesced()
        let (slow, fast) = (join(source, demand: .max(1)), join(source, demand: .max(5)))
        origin.respond()
        for byte in 1...4 { origin.send([UInt8(byte)]) }
        #expect(slow.values.count == 1 && fast.values.count == 5 && origin.requested == .none)
        slow.request(.max(2))
        #expect(slow.values.count == 3 && origin.requested == .none)
        slow.request(.max(4))
        #expect(slow.values.count == 5 && origin.requested == .max(2))
    }

    @Test("What is no longer kept is loaded again by who comes late, and what is kept is bounded")
    func room() {
        let source = origin.coalesced(keeping: 10)
        let first = join(source)
        origin.respond()
        origin.send([UInt8](repeating: 1, count: 8))
        let second = join(source)
        #expect(origin.loads == 1)
        origin.send([UInt8](repeating: 2, count: 8))
        let late = join(source)
        #expect(origin.loads == 2)
        origin.respond()
        origin.send([5])
        origin.end()
        #expect(body(late) == [5] && late.isFinished && body(first).count == 16)
        first.cancel()
        second.cancel()
        #expect(origin.cancels == 2)
        // Their room is free again.
        _ = join(source)
        origin.respond()
        origin.send([1, 2, 3])
        let joined = join(source)
        #expect(origin.loads == 3 && body(joined) == [1, 2, 3])
    }

    @Test("By default 16 MB are kept for who may come")
    func usualRoom() {
        func expect(_ source: some Source<ImageRequest, DataEvent>, of origin: Origin) {
            let first = join(source)
            origin.respond()
            origin.send([UInt8](repeating: 1, count: 16 << 20))
            #expect(body(join(source)).count == 16 << 20 && origin.loads == 1)
            origin.send([2])
            _ = join(source)
            #expect(origin.loads == 2)
            first.cancel()
        }
        let origins = [Origin(), Origin()]
        expect(origins[0].coalesced(), of: origins[0])
        expect(origins[1].coalesced { $0.dataKey }, of: origins[1])
    }

    @Test("A body that is discarded is joined by nobody; requests that ask caches otherwise share nothing")
    func apart() {
        let source = origin.coalesced()
        let first = join(source)
        origin.respond()
        guard case .response(let response)? = first.values.first else {
            Issue.record("no response")
            return
        }
        var other = request
        other.headers = [HTTPField("Cache-Control", "no-cache")]
        _ = join(source, other)
        #expect(origin.loads == 2)
        let discarded = RecordingSubscriber<Bool, Never>()
        response.discard?().subscribe(discarded)
        #expect(discarded.values == [true] && origin.discards.load(ordering: .relaxed) == 1)
        _ = join(source)
        #expect(origin.loads == 3)
    }

    @Test("Readers that come and go on several threads get the whole body, each chunk once and in order")
    func races() {
        for round in 0..<100 {
            let origin = Origin()
            let source = origin.coalesced()
            let first = Recorder()
            source.events(for: request).subscribe(first)
            let threads = ThreadPoolScheduler(width: 3)
            let done = DispatchGroup()
            let readers = (0..<8).map { index in
                index % 2 == 0 ? Recorder() : Recorder(initialDemand: .max(1), demandForValue: { _ in .max(1) })
            }
            for lane in 0..<2 {
                done.enter()
                threads.schedule {
                    for index in stride(from: lane, to: readers.count, by: 2) {
                        source.events(for: self.request).subscribe(readers[index])
                        if index % 3 == 2 { readers[index].cancel() }
                    }
                    done.leave()
                }
            }
            done.enter()
            threads.schedule {
                origin.respond()
                for byte in 0..<40 { origin.send([UInt8(byte)]) }
                done.leave()
            }
            done.wait()
            origin.end()
            let whole = (0..<40).map { UInt8($0) }
            for (index, reader) in ([first] + readers).enumerated() where (index - 1) % 3 != 2 {
                #expect(body(reader) == whole && reader.isFinished && reader.violations.isEmpty, "\(round) \(index)")
            }
            #expect(origin.loads == 1)
        }
    }
}
