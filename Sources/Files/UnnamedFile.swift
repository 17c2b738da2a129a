extension FileDescriptor {
    /// Makes a file without a name in the system's directory for temporary files: it is gone with its descriptor, however that ends.
    package static func unnamed() throws(SystemError) -> FileDescriptor {
        let directory = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        let number = UInt128.random(in: .min ... .max)
        let path = "\(directory)/imagestreams-\(String(number, radix: 36))"
        let file = try FileDescriptor(opening: path, O_RDWR | O_CREAT | O_EXCL)
        guard unlink(path) == 0 else { throw SystemError("unlink") }
        return file
    }
}
