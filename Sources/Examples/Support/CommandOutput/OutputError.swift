/// A result could not be written.
public struct OutputError: Error, CustomStringConvertible {
    /// What was being done, for instance `write`.
    public let action: String
    public let path: String
    /// The `errno` of the system call that failed.
    public let code: Int32

    public init(action: String, path: String, code: Int32) {
        self.action = action
        self.path = path
        self.code = code
    }

    public var description: String {
        "cannot \(action) \(path): \(String(cString: strerror(code)))"
    }
}

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif
