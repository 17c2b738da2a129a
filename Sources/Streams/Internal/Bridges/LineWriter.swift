import Synchronization

/// Writes lines, one at a time and in order.
///
/// The stream is the user's code, and so it is called outside the lock: whoever finds nobody writing takes it out and
/// writes what has gathered; the others leave their lines. A stream may thus print what it prints.
@usableFromInline
final class LineWriter: Sendable {
    private struct State: Sendable {
        var stream: (any TextOutputStream & Sendable)?
        var lines: [String] = []
        var isWriting = false
    }

    private let state: Mutex<State>

    /// - Parameter stream: Where lines go; nil for the standard output.
    @usableFromInline
    init(_ stream: (any TextOutputStream & Sendable)?) {
        state = Mutex(State(stream: stream))
    }

    @usableFromInline
    func write(_ line: String) {
        let taken = state.withLock { state -> (any TextOutputStream & Sendable)?? in
            state.lines.append(line)
            if state.isWriting { return nil }
            state.isWriting = true
            return .some(state.stream.take())
        }
        guard var stream = taken else { return }
        while true {
            let lines = state.withLock { state in
                defer { state.lines = [] }
                if state.lines.isEmpty {
                    state.stream = stream
                    state.isWriting = false
                }
                return state.lines
            }
            if lines.isEmpty { return }
            for line in lines {
                if stream == nil { Swift.print(line) } else { stream?.write("\(line)\n") }
            }
        }
    }
}
