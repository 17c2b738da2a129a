import ImagePipeline

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Where results go. A file is there as a whole or not at all: it is written under another name and then renamed.
public struct OutputDirectory: Sendable {
    /// What names of files that are not complete begin with: of a process that was killed, one may be left behind.
    public static let temporaryPrefix = ".unfinished-"

    public let path: String

    /// Makes the directory and those above it, unless they are there.
    public init(_ path: String) throws(OutputError) {
        self.path = path.isEmpty ? "." : path
        do throws(SystemError) {
            try Directory.make(self.path, mode: 0o777)
        } catch {
            throw OutputError(action: "make the directory", path: path, code: error.code)
        }
    }

    /// Writes a file, in place of one that has this name already.
    ///
    /// - Parameter modified: When it is to have been changed, in nanoseconds since 1970; now unless given.
    /// - Returns: its path.
    @discardableResult
    public func write(_ bytes: [UInt8], as name: String, modified: Int? = nil) throws(OutputError) -> String {
        let target = "\(path)/\(name)"
        // Not the process's number: in a container it is the same each time, and that of a killed run's leftover.
        let number = String(UInt64.random(in: .min ... .max), radix: 16)
        let temporary = "\(path)/\(Self.temporaryPrefix)\(number)"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw OutputError(action: "create", path: temporary, code: errno) }
        var failure: Int32 = 0
        do throws(SystemError) {
            try bytes.withUnsafeBufferPointer { (buffer) throws(SystemError) in
                try writeAll(UnsafeRawBufferPointer(buffer), to: descriptor)
            }
            if let modified { Self.date(descriptor, modified) }
        } catch {
            failure = error.code
        }
        if close(descriptor) != 0, failure == 0 { failure = errno }
        if failure == 0, rename(temporary, target) != 0 { failure = errno }
        guard failure == 0 else {
            unlink(temporary)
            throw OutputError(action: "write", path: target, code: failure)
        }
        return target
    }

    private static func date(_ descriptor: Int32, _ time: Int) {
        let (seconds, rest) = time.quotientAndRemainder(dividingBy: 1_000_000_000)
        let time = timespec(tv_sec: seconds, tv_nsec: rest)
        _ = futimens(descriptor, [time, time])
    }
}
