#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A system call that failed, and what the system said.
struct SystemError: Error, CustomStringConvertible {
    let call: String
    let code: Int32

    /// Takes the calling thread's `errno`: make it right after the call.
    init(_ call: String) {
        self.call = call
        code = errno
    }

    var description: String {
        "\(call): \(String(cString: strerror(code)))"
    }
}

/// An open file, closed when nobody holds it.
struct FileDescriptor: ~Copyable, Sendable {
    let number: Int32

    init(opening path: String, _ flags: Int32, mode: mode_t = 0o600) throws(SystemError) {
        var number: Int32
        repeat { number = open(path, flags | O_CLOEXEC, mode) } while number < 0 && errno == EINTR
        guard number >= 0 else { throw SystemError("open") }
        self.number = number
    }

    deinit {
        _ = close(number)
    }

    func status() throws(SystemError) -> stat {
        var status = stat()
        guard fstat(number, &status) == 0 else { throw SystemError("fstat") }
        return status
    }

    /// Reads up to `count` bytes at an offset; fewer only at the end of the file.
    func read(_ count: Int, at offset: Int) throws(SystemError) -> [UInt8] {
        // The standard library notes the count of an empty array in storage that all threads share.
        if count == 0 { return [] }
        var failure: SystemError?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count, let base = buffer.baseAddress {
                let result = pread(number, base + filled, count - filled, off_t(offset + filled))
                if result == 0 { break }
                if result > 0 {
                    filled += result
                } else if errno != EINTR {
                    failure = SystemError("pread")
                    break
                }
            }
        }
        if let failure { throw failure }
        return bytes
    }

    /// Writes all of it at an offset.
    func write(_ bytes: [UInt8], at offset: Int) throws(SystemError) {
        var written = 0
        while written < bytes.count {
            let result = bytes.withUnsafeBytes { buffer in
                pwrite(number, buffer.baseAddress.map { $0 + written }, bytes.count - written, off_t(offset + written))
            }
            if result >= 0 {
                written += result
            } else if errno != EINTR {
                throw SystemError("pwrite")
            }
        }
    }

    /// Takes the file for this process without waiting; held until it is closed.
    func tryLock() -> Bool {
        flock(number, LOCK_EX | LOCK_NB) == 0
    }

    /// Sets the time of last use, and that of the last change unless it is to stay; seconds since 1970.
    func setTimes(lastUse: Int, change: Int? = nil) {
        #if canImport(Darwin)
            let omitted = Int(UTIME_OMIT)
        #else
            // <sys/stat.h> has it as a macro with a suffix, which is not imported.
            let omitted = (1 << 30) - 2
        #endif
        let times = [
            timespec(tv_sec: lastUse, tv_nsec: 0),
            timespec(tv_sec: change ?? 0, tv_nsec: change == nil ? omitted : 0),
        ]
        _ = futimens(number, times)
    }
}
