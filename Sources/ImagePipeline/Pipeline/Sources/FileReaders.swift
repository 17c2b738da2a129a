import Files
import Streams
import Synchronization

/// The threads that files are read on, one for each open file: a call that hangs, as on a mount whose server is gone, holds up its
/// own file and no other.
///
/// A thread whose call hangs comes back when the call returns. Until then its directory counts as one that does not answer; with two such
/// threads loads from there fail at once, so that hung calls do not pile up.
final class FileReaders: Sendable {
    private static let hungInDirectory = 2
    private static let hungInAll = 64

    private let state = Mutex(State())

    private struct State {
        var idle: [ThreadPoolScheduler] = []
        var hung: [String: Int] = [:]
    }

    /// Runs a load on a thread of its own, unless its directory does not answer.
    ///
    /// - Returns: nil where that is so.
    func reading<Output: Sendable, Failure: Error>(
        in directory: String, _ load: @escaping @Sendable (FileReader) -> AnyPublisher<Output, Failure>
    ) -> AnyPublisher<Output, Failure>? {
        let thread = state.withLock { state -> ThreadPoolScheduler? in
            guard state.hung[directory, default: 0] < Self.hungInDirectory,
                state.hung.values.reduce(0, +) < Self.hungInAll
            else { return nil }
            return state.idle.popLast() ?? ThreadPoolScheduler(width: 1, name: "File")
        }
        guard let thread else { return nil }
        let reader = FileReader(thread: thread, directory: directory, readers: self)
        return load(reader)
            .handleEvents(receiveCompletion: { _ in reader.end() }, receiveCancel: { reader.end() })
            .eraseToAnyPublisher()
    }

    fileprivate func add(_ count: Int, hungIn directory: String) {
        state.withLock { state in
            let sum = state.hung[directory, default: 0] + count
            state.hung[directory] = sum == 0 ? nil : sum
        }
    }

    fileprivate func takeBack(_ thread: ThreadPoolScheduler) {
        state.withLock { $0.idle.append(thread) }
    }
}

/// The thread of one open file.
final class FileReader: Sendable {
    private let thread: ThreadPoolScheduler
    private let directory: String
    private let readers: FileReaders
    private let state = Mutex(State())

    private struct State {
        /// The calls that have been begun and have not come back, or wait for one that has not.
        var underWay = 0
        var hasEnded = false
        var isHung = false
        var isGivenBack = false
    }

    fileprivate init(thread: ThreadPoolScheduler, directory: String, readers: FileReaders) {
        self.thread = thread
        self.directory = directory
        self.readers = readers
    }

    /// Does something that may wait for the medium; nothing once the load is over.
    func schedule(_ work: @escaping @Sendable () -> Void) {
        let isOver = state.withLock { state in
            if !state.isGivenBack { state.underWay += 1 }
            return state.isGivenBack
        }
        if isOver { return }
        thread.schedule {
            work()
            self.change { $0.underWay -= 1 }
        }
    }

    /// Notes that a call does not return.
    func hangs() {
        let isNew = state.withLock { state in
            guard !state.hasEnded, !state.isHung else { return false }
            state.isHung = true
            return true
        }
        if isNew { readers.add(1, hungIn: directory) }
    }

    fileprivate func end() {
        change { $0.hasEnded = true }
    }

    /// Gives the thread back once the load has ended and all that it has begun is done. The thread is not asked for that: to wake it would
    /// cost as much as all else that the load does there.
    private func change(_ body: (inout State) -> Void) {
        let (isFree, wasHung) = state.withLock { state in
            body(&state)
            let isFree = state.hasEnded && state.underWay == 0 && !state.isGivenBack
            if isFree { state.isGivenBack = true }
            return (isFree, state.isHung)
        }
        guard isFree else { return }
        if wasHung { readers.add(-1, hungIn: directory) }
        readers.takeBack(thread)
    }
}
