import Streams
import StreamsTesting
import Synchronization
import Testing

@testable import ImagePipeline

@Suite("The room of loads, and what of a shared body takes it")
struct WorkRoomTests {
    private static let megabyte = 1 << 20

    /// The room as something that an expectation can ask.
    private final class Room {
        private var room: WorkRoom

        init(width: Int, limit: Int) { room = WorkRoom(width: width, limit: limit) }

        func begin(_ id: Int, _ level: LoadPriority.Level) -> Bool { room.begin(id, level) }
        func hold(_ bytes: Int, by id: Int) -> Bool { room.hold(bytes, by: id) }
        func resume(_ id: Int) -> Bool { room.resume(id) }
        func look(_ isIdle: (Int) -> Bool) { room.look(isIdle) }
        func wake(_ id: Int) { room.wake(id) }
        func leave(_ id: Int) { room.leave(id) }
    }

    @Test(
        "Small loads begin until they hold the limit, each at least a quarter of a megabyte",
        arguments: [1, 2, 16, 128])
    func small(megabytes: Int) {
        let room = Room(width: 1, limit: megabytes * Self.megabyte)
        let begun = (0..<600).prefix { room.begin($0, .normal) && room.hold(1, by: $0) }.count
        #expect(begun == 4 * megabytes)
        room.leave(0)
        #expect(room.begin(600, .normal) && !room.begin(601, .normal))
        // Less urgent ones hold up nobody.
        #expect(room.begin(602, .high) && !room.begin(603, .low))
    }

    @Test("A load of more than 4 MB is large, and waits until the other large ones hold less than the limit")
    func large() {
        let room = Room(width: 1, limit: 16 * Self.megabyte)
        for id in 0..<4 { #expect(room.begin(id, .normal)) }
        let answers = (0..<4).map { room.hold($0 == 3 ? 4 * Self.megabyte : 8 * Self.megabyte, by: $0) }
        #expect(answers == [true, true, false, true])
        #expect(!room.resume(2))
        room.leave(0)
        #expect(room.resume(2) && room.resume(2))
    }

    @Test("One that has left, or never came, is held up by nothing")
    func unknown() {
        let room = Room(width: 1, limit: Self.megabyte)
        #expect(room.resume(7) && room.hold(1 << 30, by: 7))
        #expect(room.begin(7, .normal))
        room.leave(7)
        #expect(room.resume(7))
    }

    @Test("One that has had nothing to do at two looks counts no more, until it has")
    func looks() {
        let room = Room(width: 1, limit: Self.megabyte / 4)
        #expect(room.begin(1, .normal) && !room.begin(2, .normal))
        room.look { _ in false }
        room.look { _ in true }
        #expect(!room.begin(2, .normal))
        room.wake(1)
        room.look { _ in true }
        #expect(!room.begin(2, .normal))
        room.look { _ in true }
        #expect(room.begin(2, .normal) && !room.begin(3, .normal))
        room.leave(2)
        room.wake(1)
        #expect(!room.begin(2, .normal))
    }

    @Test(
        "A load waits as much longer as it has taken, half a second at most",
        arguments: [(spent: 0, behind: 0), (30, 30), (499, 499), (500, 500), (501, 500), (5_000, 500)])
    func penalty(spent: Int, behind: Int) {
        typealias Queue = WorkQueue<VirtualTimeScheduler>
        let time = VirtualTimeScheduler()
        time.advance(by: .milliseconds(7))
        let state = Queue.State(room: WorkRoom(width: 1, limit: Self.megabyte))
        var line = Queue.Line(level: .normal)
        line.spent = .milliseconds(spent)
        let rank = state.rank(of: line, at: time.now)
        #expect(rank.time == time.now.advanced(by: .milliseconds(behind)))
    }

    private final class Upstream: Subscription {
        func request(_ demand: Subscribers.Demand) {}
        func cancel() {}
    }

    private func reader(_ chunks: Counter = Counter()) -> SharedBody.Downstream {
        SharedBody.Downstream(
            receiveValue: { event in
                if case .chunk = event { chunks.add() }
                return .none
            })
    }

    @Test("Of a body that has come whole memory holds what somebody has yet to read, and no more")
    func readOfWhole() throws {
        let (room, chunks) = (KeptBytes(limit: 1 << 20), Counter())
        let body = SharedBody(priority: .normal, room: room) { _ in }
        let id = try #require(body.join(reader(chunks)))
        body.start(Upstream())
        body.deliver(to: id)
        body.receive(.response(DataResponse(provenance: .network, expectedLength: 600)))
        for count in [100, 200, 300] { body.receive(.chunk([UInt8](repeating: 1, count: count))) }
        body.request(.max(2), for: id)
        #expect(chunks.value == 1)
        // Until the end somebody may come for all of it.
        #expect(room.bytes == 600)
        body.receive(completion: .finished)
        #expect(room.bytes == 500)
        body.request(.max(1), for: id)
        #expect(chunks.value == 2 && room.bytes == 300)
    }

    @Test("Nobody joins a body that was discarded, while those who read it go on")
    func discarded() throws {
        let response = Mutex<DataResponse?>(nil)
        let ends = Counter()
        let body = SharedBody(priority: .normal, room: KeptBytes(limit: 1 << 20)) { _ in ends.add() }
        let chunks = Counter()
        let reader = SharedBody.Downstream(
            receiveValue: { event in
                switch event {
                case .response(let it): response.withLock { $0 = it }
                case .chunk: chunks.add()
                }
                return .none
            })
        let id = try #require(body.join(reader))
        body.start(Upstream())
        body.deliver(to: id)
        body.request(.unlimited, for: id)
        body.receive(
            .response(
                DataResponse(
                    provenance: .network, discard: { Just(false).eraseToAnyPublisher() })))
        #expect(body.join(self.reader()) != nil && ends.value == 0)
        let discard = try #require(response.withLock { $0?.discard })
        discard().subscribe(RecordingSubscriber<Bool, Never>())
        #expect(body.join(self.reader()) == nil && ends.value == 1)
        body.receive(.chunk([1]))
        #expect(chunks.value == 1)
    }
}
