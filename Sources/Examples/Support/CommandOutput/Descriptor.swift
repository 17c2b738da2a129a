import Files

/// An open file or directory, closed when nobody holds it.
final class Descriptor: Sendable {
    let number: Int32

    /// Opens what a path leads to from a directory; `nil` with `errno` set if that fails.
    init?(_ path: String, in directory: Int32 = AT_FDCWD, _ flags: Int32, mode: mode_t = 0o666) {
        let number = openat(directory, path, flags | O_CLOEXEC, mode)
        // Before it is set: what has it is closed at its end, which sets errno.
        guard number >= 0 else { return nil }
        self.number = number
    }

    deinit { close(number) }

    var status: stat? {
        var status = stat()
        return fstat(number, &status) == 0 ? status : nil
    }

    func write(_ bytes: [UInt8]) throws(SystemError) {
        try bytes.withUnsafeBufferPointer { (buffer) throws(SystemError) in
            try writeAll(UnsafeRawBufferPointer(buffer), to: number)
        }
    }

    /// Reads up to so many bytes at an offset, fewer only at the end; `nil` with `errno` set if that fails.
    func read(_ count: Int, at offset: Int = 0) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let result = bytes.withUnsafeMutableBytes { buffer in
                pread(number, buffer.baseAddress?.advanced(by: filled), count - filled, off_t(offset + filled))
            }
            if result < 0, errno == EINTR { continue }
            guard result >= 0 else { return nil }
            if result == 0 { break }
            filled += result
        }
        bytes.removeLast(count - filled)
        return bytes
    }
}
