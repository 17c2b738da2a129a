import Synchronization

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

    private static let serial = Atomic(0)

    public let path: String

    /// Makes the directory and those above it, unless they are there.
    public init(_ path: String) throws(OutputError) {
        var made = ""
        for component in path.split(separator: "/", omittingEmptySubsequences: false) {
            made += made.isEmpty && !path.hasPrefix("/") ? String(component) : "/" + component
            if component.isEmpty || mkdir(made, 0o777) == 0 || errno == EEXIST { continue }
            throw OutputError(action: "make the directory", path: made, code: errno)
        }
        self.path = path.isEmpty ? "." : path
    }

    /// Writes a file, in place of one that has this name already.
    ///
    /// - Returns: its path.
    @discardableResult
    public func write(_ bytes: [UInt8], as name: String) throws(OutputError) -> String {
        let target = "\(path)/\(name)"
        let number = Self.serial.add(1, ordering: .relaxed).newValue
        let temporary = "\(path)/\(Self.temporaryPrefix)\(getpid())-\(number)"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw OutputError(action: "create", path: temporary, code: errno) }
        var failure = Self.writeAll(bytes, to: descriptor)
        if close(descriptor) != 0, failure == 0 { failure = errno }
        if failure == 0, rename(temporary, target) != 0 { failure = errno }
        guard failure == 0 else {
            unlink(temporary)
            throw OutputError(action: "write", path: target, code: failure)
        }
        return target
    }

    /// 0, or the `errno`.
    private static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
        bytes.withUnsafeBytes { buffer in
            var rest = buffer
            while !rest.isEmpty {
                #if canImport(Glibc)
                    let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
                #elseif canImport(Musl)
                    let count = Musl.write(descriptor, rest.baseAddress, rest.count)
                #else
                    let count = Darwin.write(descriptor, rest.baseAddress, rest.count)
                #endif
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return count < 0 ? errno : EIO }
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            }
            return 0
        }
    }
}
