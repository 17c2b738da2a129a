import Files

/// Wakes a thread that waits for descriptors: a pipe that it waits for as well.
final class Alarm: Sendable {
    private let reading: FileDescriptor
    private let writing: FileDescriptor

    /// - Returns: nil where there is no further descriptor.
    init?() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        reading = FileDescriptor(owning: ends[0])
        writing = FileDescriptor(owning: ends[1])
    }

    /// The descriptor to wait for.
    var number: Int32 { reading.number }

    /// Wakes the thread, now or as soon as it waits. A pipe that is full has done so already.
    func ring() {
        var byte: UInt8 = 0
        _ = write(writing.number, &byte, 1)
    }

    /// Makes the thread's next wait one.
    func silence() {
        withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 1) { bytes in
            while read(reading.number, bytes.baseAddress, bytes.count) == bytes.count {}
        }
    }
}
