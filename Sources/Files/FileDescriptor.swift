import CFiles

/// An open file, closed when nobody holds it.
package struct FileDescriptor: ~Copyable, Sendable {
    /// How much of a body is read or written at once, in bytes.
    package static let chunkSize = 64 << 10

    package let number: Int32

    package init(opening path: String, _ flags: Int32, mode: mode_t = 0o600) throws(SystemError) {
        number = try Self.opened(path) { open(path, flags | O_CLOEXEC, mode) }
    }

    /// A path with a zero in it is no file's: the system would open what ends there.
    private static func opened(_ path: String, _ open: () -> Int32) throws(SystemError) -> Int32 {
        if path.utf8.contains(0) { throw SystemError("open", code: EINVAL) }
        var number: Int32
        repeat { number = open() } while number < 0 && errno == EINTR
        guard number >= 0 else { throw SystemError("open") }
        return number
    }

    /// Takes over a descriptor that is open.
    package init(owning number: Int32) {
        self.number = number
    }

    /// Opens a regular file for reading. Anything else is refused: opening a named pipe would wait for its writer.
    package static func reading(_ path: String) throws(SystemError) -> FileDescriptor {
        var status = stat()
        return try reading(path, &status)
    }

    /// Does what ``reading(_:)`` does, and says what it has found.
    ///
    /// - Parameter keepsLastUse: Whether its time of last use is kept by somebody else than the system, where the system lets it be.
    package static func reading(
        _ path: String, _ status: inout stat, keepsLastUse: Bool = false
    ) throws(SystemError) -> FileDescriptor {
        let flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC
        let file = FileDescriptor(
            owning: try opened(path) { keepsLastUse ? open_keeping_last_use(path, flags) : open(path, flags) })
        status = try file.status()
        let kind = status.st_mode & S_IFMT
        guard kind == S_IFREG else { throw SystemError("not a file", code: kind == S_IFDIR ? EISDIR : EINVAL) }
        return file
    }

    deinit {
        _ = close(number)
    }

    package func status() throws(SystemError) -> stat {
        var status = stat()
        guard fstat(number, &status) == 0 else { throw SystemError("fstat") }
        return status
    }

    /// Reads up to `count` bytes at an offset; fewer only at the end of the file.
    package func read(_ count: Int, at offset: Int) throws(SystemError) -> [UInt8] {
        // The standard library notes the count of an empty array in storage that all threads share.
        if count == 0 { return [] }
        var failure: SystemError?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            failure = read(
                into: UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: buffer[..<count])), at: offset,
                &filled)
        }
        if let failure { throw failure }
        return bytes
    }

    /// Reads so many bytes at an offset if the system holds all of them in memory: never waits for the medium.
    ///
    /// - Returns: nil where it does not hold them or cannot tell, and where the file ends before.
    package func readCached(_ count: Int, at offset: Int) -> [UInt8]? {
        if count == 0 { return [] }
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = max(0, read_cached(number, buffer.baseAddress, count, Int64(offset)))
        }
        return bytes.count == count ? bytes : nil
    }

    /// Reads up to so many bytes at the beginning, and up to so many behind them into memory of their own, in one call; fewer only at
    /// the end of the file.
    package func read(_ count: Int, then rest: Int) throws(SystemError) -> (start: [UInt8], rest: [UInt8]) {
        if rest == 0 { return (try read(count, at: 0), []) }
        var failure: SystemError?
        var end: [UInt8] = []
        let start = [UInt8](unsafeUninitializedCapacity: count) { first, started in
            end = [UInt8](unsafeUninitializedCapacity: rest) { second, filled in
                let first = UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: first[..<count]))
                let second = UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: second[..<rest]))
                let result = withUnsafeTemporaryAllocation(of: iovec.self, capacity: 2) { parts in
                    parts[0] = iovec(iov_base: first.baseAddress, iov_len: count)
                    parts[1] = iovec(iov_base: second.baseAddress, iov_len: rest)
                    return preadv(number, parts.baseAddress, 2, 0)
                }
                (started, filled) = (min(max(0, result), count), max(0, result - count))
                // More calls bring what one has not brought, or say why.
                failure = read(into: first, at: 0, &started)
                if failure == nil, started == count { failure = read(into: second, at: count, &filled) }
            }
        }
        if let failure { throw failure }
        return (start, end)
    }

    /// Reads up to `count` values at an offset in bytes; fewer only at the end of the file. They are this machine's own:
    /// their bits are taken as they are.
    package func array<Element: BitwiseCopyable>(
        _ count: Int, at offset: Int
    ) throws(SystemError) -> ContiguousArray<Element> {
        if count == 0 { return [] }
        var failure: SystemError?
        let values = ContiguousArray<Element>(unsafeUninitializedCapacity: count) { buffer, filled in
            var bytes = 0
            let place = UnsafeMutableBufferPointer(rebasing: buffer[..<count])
            failure = read(into: UnsafeMutableRawBufferPointer(place), at: offset, &bytes)
            filled = bytes / MemoryLayout<Element>.stride
        }
        if let failure { throw failure }
        return values
    }

    private func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int, _ filled: inout Int
    ) -> SystemError? {
        while filled < buffer.count, let base = buffer.baseAddress {
            let result = pread(number, base + filled, buffer.count - filled, off_t(offset + filled))
            if result == 0 { break }
            if result > 0 {
                filled += result
            } else if errno != EINTR {
                return SystemError("pread")
            }
        }
        return nil
    }

    /// Writes all of it at an offset.
    package func write(_ bytes: [UInt8], at offset: Int) throws(SystemError) {
        try bytes.withUnsafeBufferPointer { (buffer) throws(SystemError) in
            try writeAll(UnsafeRawBufferPointer(buffer), to: number, at: offset)
        }
    }

    /// Appends so many zeros to what was opened with `O_APPEND`.
    package func appendZeros(_ count: Int) throws(SystemError) {
        let zeros = [UInt8](repeating: 0, count: min(max(count, 0), Self.chunkSize))
        var rest = max(count, 0)
        while rest > 0 {
            try zeros.withUnsafeBufferPointer { (buffer) throws(SystemError) in
                try writeAll(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: buffer.prefix(rest))), to: number)
            }
            rest -= min(rest, zeros.count)
        }
    }

    /// Changes the file's length; what it gains takes no room on the medium.
    package func truncate(to size: Int) throws(SystemError) {
        guard truncate_in_limit(number, Int64(size)) == 0 else { throw SystemError("ftruncate") }
    }

    /// Waits until what was written is on the medium.
    package func synchronize() throws(SystemError) {
        guard fsync(number) == 0 else { throw SystemError("fsync") }
    }

    /// Takes the file for this process without waiting, or shares it; held until it is closed. Throws where files cannot be locked.
    package func tryLock(isShared: Bool = false) throws(SystemError) -> Bool {
        if flock(number, (isShared ? LOCK_SH : LOCK_EX) | LOCK_NB) == 0 { return true }
        let failure = SystemError("flock")
        guard failure.code == EWOULDBLOCK else { throw failure }
        return false
    }

    /// Sets the time of last use, and that of the last change unless it is to stay; since 1970.
    package func setTimes(lastUse: Duration, change: Duration? = nil) {
        #if canImport(Darwin)
            let omitted = Int(UTIME_OMIT)
        #else
            // <sys/stat.h> has it as a macro with a suffix, which is not imported.
            let omitted = (1 << 30) - 2
        #endif
        withUnsafeTemporaryAllocation(of: timespec.self, capacity: 2) { times in
            times[0] = timespec(lastUse)
            times[1] = change.map(timespec.init) ?? timespec(tv_sec: 0, tv_nsec: omitted)
            _ = futimens(number, times.baseAddress)
        }
    }
}

extension timespec {
    package init(_ time: Duration) {
        let (seconds, attoseconds) = time.components
        self.init(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
    }
}

extension Duration {
    package init(_ time: timespec) {
        self = .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// Whole nanoseconds; the nearest that there is of what no file system holds.
    package var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow else { return seconds < 0 ? .min : .max }
        let (sum, isBeyond) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
        return isBeyond ? (seconds < 0 ? .min : .max) : sum
    }

    /// The wall clock's time since 1970.
    package static var sinceEpoch: Duration {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Duration(time)
    }
}

/// An open file that several hold, closed when nobody does.
package final class SharedFile: Sendable {
    package let descriptor: FileDescriptor

    package init(_ descriptor: consuming FileDescriptor) {
        self.descriptor = descriptor
    }
}
