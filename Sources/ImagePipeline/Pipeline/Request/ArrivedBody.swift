import Streams
import Synchronization

/// The part of a body that can be read again from a file while it passes by, so that those who share it need not hold it in memory.
///
/// Whoever brings the body notes what has been written; any thread may read that, and is not blocked.
final class ArrivedBody: Sendable {
    /// Does something on threads that may wait for the medium; fails if that takes too long.
    typealias Work = @Sendable (_ read: @escaping @Sendable () throws -> [UInt8]) -> AnyPublisher<[UInt8], StoreFault>

    private struct State: Sendable {
        var written: WrittenBody?
        var isGrowing = true
    }

    private let work: Work
    private let state: Mutex<State>

    /// Begins with nothing that can be read, on its way into the store.
    init(readBy work: @escaping Work) {
        self.work = work
        state = Mutex(State())
    }

    /// A body that is in a file from end to end.
    init(_ written: WrittenBody, work: @escaping Work) {
        self.work = work
        state = Mutex(State(written: written, isGrowing: false))
    }

    /// The bytes that can be read, from the first on.
    var length: Int { state.withLock { $0.written?.length ?? 0 } }

    /// Whether bytes that have passed by and cannot be read yet are about to be written.
    var isGrowing: Bool { state.withLock { $0.isGrowing } }

    /// Notes what has been written; nil ends it.
    func note(_ written: WrittenBody?) {
        guard let written else { return end() }
        state.withLock { $0.written = written }
    }

    /// Nothing more is written. What has been written can be read still.
    func end() {
        state.withLock { $0.isGrowing = false }
    }

    /// Reads bytes; fails if that takes longer than a load may wait for the medium.
    func bytes(in range: Range<Int>) -> AnyPublisher<[UInt8], StoreFault> {
        guard let written = state.withLock({ $0.written }) else { return Fail(error: .miss).eraseToAnyPublisher() }
        return work { try written.read(range) }
    }
}
