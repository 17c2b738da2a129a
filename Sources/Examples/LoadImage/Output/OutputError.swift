/// A result could not be written.
struct OutputError: Error, CustomStringConvertible {
    /// What was being done, for instance `write`.
    let action: String
    let path: String
    /// The `errno` of the system call that failed.
    let code: Int32

    var description: String {
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
