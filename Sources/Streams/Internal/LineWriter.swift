import Synchronization

/// Writes lines, one at a time.
@usableFromInline
final class LineWriter: Sendable {
    private let stream: Mutex<(any TextOutputStream & Sendable)?>

    @usableFromInline
    init(_ stream: (any TextOutputStream & Sendable)?) {
        self.stream = Mutex(stream)
    }

    @usableFromInline
    func write(_ line: String) {
        stream.withLock { stream in
            if stream == nil { Swift.print(line) } else { stream?.write("\(line)\n") }
        }
    }
}
