import Files
import Streams
import Synchronization

/// The kernel's word that programs wait for memory (Documentation/accounting/psi.rst in its sources).
final class PressureTrigger: Sendable {
    /// A tenth of two seconds: windows of another length need privileges.
    private static let condition = Array("some 200000 2000000\0".utf8)

    private let trigger: FileDescriptor
    /// A pipe, whose end that is written to is closed when nobody wants to know any more.
    private let end: FileDescriptor
    private let otherEnd: Mutex<FileDescriptor?>

    /// Asks for it; nil where it is refused.
    ///
    /// - Parameter paths: The files of the group and of the machine: the first that takes a condition counts.
    init?(paths: [String]) {
        var ends: [Int32] = [0, 0]
        guard let trigger = Self.open(paths), pipe(&ends) == 0 else { return nil }
        // A child that had the other end would keep it open, and the thread waiting.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        self.trigger = trigger
        end = FileDescriptor(owning: ends[0])
        otherEnd = Mutex(FileDescriptor(owning: ends[1]))
    }

    /// A value for each time, from a thread of its own; the newest, while nobody requests one.
    var times: AnyPublisher<Void, Never> {
        AnyPublisher.create(.latest) { [self] emitter in
            let thread = ThreadPoolScheduler(width: 1, name: "MemoryPressure")
            thread.schedule { while self.waitForNext() { emitter.onNext(()) } }
            return Disposable { self.otherEnd.withLock { $0 = nil } }
        }
    }

    private static func open(_ paths: [String]) -> FileDescriptor? {
        for path in paths {
            if let file = try? FileDescriptor(opening: path, O_RDWR | O_NONBLOCK),
                (try? condition.withUnsafeBytes({ try writeAll($0, to: file.number) })) != nil
            {
                return file
            }
        }
        return nil
    }

    /// - Returns: False when nobody wants to know any more, or the group is gone.
    private func waitForNext() -> Bool {
        var events = [
            pollfd(fd: trigger.number, events: Int16(POLLPRI), revents: 0),
            pollfd(fd: end.number, events: 0, revents: 0),
        ]
        while poll(&events, 2, -1) < 0 { if errno != EINTR { return false } }
        return events[1].revents == 0 && events[0].revents & Int16(POLLERR) == 0
    }
}
