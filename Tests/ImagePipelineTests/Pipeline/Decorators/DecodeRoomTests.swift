import Streams
import StreamsTesting
import Synchronization
import Testing

@testable import ImagePipeline

@Suite("Decodes that hold much memory", .serialized)
final class DecodeRoomTests: Sendable {
    private let time = VirtualTimeScheduler()
    private let held: HeldScheduler
    private let done = Mutex<[String]>([])

    init() {
        held = HeldScheduler(time)
        HeavyDecoder.clock.withLock { [time] in $0 = time }
        HeavyDecoder.count.store(0, ordering: .relaxed)
        HeavyDecoder.most.store(0, ordering: .relaxed)
        HeavyDecoder.living.store(0, ordering: .relaxed)
    }

    /// A load that comes in pieces.
    private func load(
        _ name: String, megabytes: Int, _ priority: LoadPriority = .normal, in queue: WorkQueue<HeldScheduler>
    ) -> AnyCancellable {
        let source = AnySource<ImageRequest, DataEvent> { _ in
            (0..<6).publisher.map { DataEvent.chunk($0 == 0 ? HeavyDecoder.head(megabytes) : [0]) }
                .setFailureType(to: LoadError.self)
                .prepend(.response(DataResponse(provenance: .file))).eraseToAnyPublisher()
        }
        var request = ImageRequest("http://localhost/\(name)", previews: false)
        request.priority = priority
        return source.decoded(decoders: .standard.adding(HeavyDecoder.self), in: queue).events(for: request).sink { _ in
            self.done.withLock { $0.append(name) }
        } receiveValue: { _ in
        }
    }

    /// A load whose bytes the test sends.
    private func load(
        _ bytes: some Publisher<DataEvent, LoadError>, in queue: WorkQueue<HeldScheduler>
    ) -> AnyCancellable {
        AnySource<ImageRequest, DataEvent> { _ in bytes.eraseToAnyPublisher() }
            .decoded(decoders: .standard.adding(HeavyDecoder.self), in: queue)
            .events(for: ImageRequest("http://localhost/silent"))
            .sink(receiveCompletion: { _ in }, receiveValue: { _ in })
    }

    private func load(_ count: Int, megabytes: Int, in queue: WorkQueue<HeldScheduler>) -> [AnyCancellable] {
        (0..<count).map { load("\($0)", megabytes: megabytes, in: queue) }
    }

    @Test(
        "As many have begun as hold the memory that there is, however many wait, and all come to their end",
        arguments: [(megabytes: 40, goingOn: 2), (20, 4), (5, 13), (0, 60)])
    func bounded(megabytes: Int, goingOn: Int) {
        let queue = WorkQueue(on: held, memory: 64 << 20, width: 2)
        let loads = load(60, megabytes: megabytes, in: queue)
        held.run()
        #expect(done.withLock { $0.count } == 60)
        #expect(HeavyDecoder.most.load(ordering: .relaxed) <= goingOn)
        #expect(HeavyDecoder.count.load(ordering: .relaxed) == 0)
        withExtendedLifetime(loads) {}
    }

    @Test("One that needs more than there is decodes all the same, as many as the scheduler is wide")
    func enormous() {
        let loads = load(6, megabytes: 200, in: WorkQueue(on: held, memory: 64 << 20, width: 2))
        held.run()
        #expect(done.withLock { $0.count } == 6)
        #expect(HeavyDecoder.most.load(ordering: .relaxed) == 2)
        withExtendedLifetime(loads) {}
    }

    @Test("A small one begins though large ones wait for room, and an urgent one though less urgent ones hold it all")
    func urgent() {
        let queue = WorkQueue(on: held, memory: 64 << 20, width: 1)
        var loads = load(3, megabytes: 40, in: queue)
        loads.append(load("small", megabytes: 0, in: queue))
        loads.append(load("urgent", megabytes: 40, .high, in: queue))
        held.run()
        let order = done.withLock { $0 }
        #expect(order.first == "urgent" && order.last == "2" && order.count == 5, "\(order)")
        withExtendedLifetime(loads) {}
    }

    /// A load whose bytes stay away behind its head.
    private func silentLoad(in queue: WorkQueue<HeldScheduler>) -> AnyCancellable {
        let bytes = PassthroughSubject<DataEvent, LoadError>()
        let silent = load(bytes, in: queue)
        bytes.send(.response(DataResponse(provenance: .network)))
        bytes.send(.chunk(HeavyDecoder.head(40)))
        held.run()
        return AnyCancellable {
            silent.cancel()
            withExtendedLifetime(bytes) {}
        }
    }

    @Test("Those whose bytes do not come keep nobody waiting for long")
    func silent() {
        let queue = WorkQueue(on: held, memory: 16 << 20, width: 1)
        let silent = silentLoad(in: queue)
        let load = load("other", megabytes: 40, in: queue)
        held.run()
        #expect(done.withLock { $0.isEmpty })
        time.advance(by: .milliseconds(250))
        held.run()
        #expect(done.withLock { $0 } == ["other"])
        withExtendedLifetime((silent, load)) {}
    }

    @Test("One that waits for room goes on when its priority rises", arguments: [true, false])
    func raised(isRaised: Bool) {
        let queue = WorkQueue(on: held, memory: 16 << 20, width: 1)
        let visibility = LivePriority(.low)
        let loads = [
            load("first", megabytes: 40, .low, in: queue), load("second", megabytes: 40, .live(visibility), in: queue),
        ]
        // Both have begun, and there is room for the first to go on.
        held.run(2)
        if isRaised { visibility.level = .high }
        held.run()
        #expect(done.withLock { $0 } == (isRaised ? ["second", "first"] : ["first", "second"]))
        withExtendedLifetime(loads) {}
    }

    @Test("One that is cancelled while it waits is let go of at once")
    func cancelled() {
        let queue = WorkQueue(on: held, memory: 16 << 20, width: 1)
        let first = load("first", megabytes: 40, in: queue)
        let waiting = (0..<50).map { load("\($0)", megabytes: 40, in: queue) }
        held.run(30)
        for load in waiting { load.cancel() }
        held.run()
        #expect(done.withLock { $0 } == ["first"])
        #expect(HeavyDecoder.count.load(ordering: .relaxed) == 0)
        withExtendedLifetime(first) {}
    }

    @Test("One that is cancelled while it waits for room needs none to end")
    func cancelledWithoutRoom() {
        let queue = WorkQueue(on: held, memory: 16 << 20, width: 1)
        let silent = silentLoad(in: queue)
        let waiting = load(3, megabytes: 40, in: queue)
        held.run()
        #expect(HeavyDecoder.living.load(ordering: .relaxed) == 4)
        for load in waiting { load.cancel() }
        held.run()
        #expect(HeavyDecoder.living.load(ordering: .relaxed) == 1)
        withExtendedLifetime(silent) {}
    }

    @Test("Small ones begin as long as those that have begun leave room, and the others as room is left by one")
    func smallOnes() {
        let loads = load(60, megabytes: 0, in: WorkQueue(on: held, memory: 1 << 20, width: 1))
        held.run()
        #expect(done.withLock { $0.count } == 60)
        #expect(HeavyDecoder.most.load(ordering: .relaxed) == 4)
        withExtendedLifetime(loads) {}
    }

    @Test("One that is cancelled at its work leaves its room to others, also where its source does not let go of it")
    func cancelledAtWork() {
        let queue = WorkQueue(on: held, memory: 16 << 20, width: 1)
        let bytes = KeepingPublisher()
        let cancelled = load(bytes, in: queue)
        bytes.send(.response(DataResponse(provenance: .network)))
        bytes.send(.chunk(HeavyDecoder.head(40)))
        held.run()
        bytes.send(.chunk([0]))
        cancelled.cancel()
        held.run()
        let other = load("other", megabytes: 40, in: queue)
        held.run()
        #expect(done.withLock { $0 } == ["other"])
        withExtendedLifetime((bytes, other)) {}
    }
}

/// A publisher that keeps its subscriber, also when that has cancelled.
private final class KeepingPublisher: Publisher {
    typealias Output = DataEvent
    typealias Failure = LoadError

    private let subscriber = Mutex<AnySubscriber<DataEvent, LoadError>?>(nil)

    func receive<S: Subscriber>(subscriber: S) where S.Input == DataEvent, S.Failure == LoadError {
        self.subscriber.withLock { $0 = AnySubscriber(subscriber) }
        subscriber.receive(subscription: Idle())
    }

    func send(_ event: DataEvent) { _ = subscriber.withLock { $0 }?.receive(event) }

    private final class Idle: Subscription {
        func request(_ demand: Subscribers.Demand) {}
        func cancel() {}
    }
}

/// A decoder of files that state the megabytes that they take, five milliseconds for each piece; counts those that have come further than that and are not over.
private final class HeavyDecoder: FormatDecoder {
    static let format = ImageFormat(rawValue: "hvy")
    static let signatureLength = 3
    static func recognizes(_ prefix: [UInt8]) -> Bool { prefix.starts(with: "HVY".utf8) }

    /// The first bytes of a file.
    static func head(_ megabytes: Int) -> [UInt8] {
        Array("HVY".utf8) + [UInt8(megabytes)] + [UInt8](repeating: 0, count: 60)
    }

    static let clock = Mutex<VirtualTimeScheduler?>(nil)
    static let count = Atomic(0)
    static let most = Atomic(0)
    static let living = Atomic(0)

    private(set) var memoryNeeded: Int?

    private var isGoingOn = false

    init(options: DecodeOptions) { Self.living.add(1, ordering: .relaxed) }

    deinit {
        Self.living.subtract(1, ordering: .relaxed)
        if isGoingOn { Self.count.subtract(1, ordering: .relaxed) }
    }

    func append(_ bytes: UnsafeRawBufferPointer) throws(DecodeError) {
        Self.clock.withLock { $0 }?.advance(by: .milliseconds(5))
        if memoryNeeded == nil {
            memoryNeeded = Int(bytes[3]) << 20
        } else if bytes.count == 1, !isGoingOn {
            isGoingOn = true
            let count = Self.count.add(1, ordering: .relaxed).newValue
            Self.most.max(count, ordering: .relaxed)
        }
    }

    func finish() throws(DecodeError) -> Image {
        guard let image = Image(size: PixelSize(width: 1, height: 1), format: .grey8, bytes: [7]) else {
            throw .unknownFormat
        }
        return image
    }
}
