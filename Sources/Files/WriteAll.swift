/// Writes all of it, in as many calls as that takes: at an offset, or where the descriptor is.
package func writeAll(
    _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at offset: Int? = nil
) throws(SystemError) {
    var written = 0
    while written < bytes.count {
        let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
        let count =
            if let offset {
                pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset + written))
            } else {
                write(descriptor, rest.baseAddress, rest.count)
            }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { throw SystemError("write", code: count < 0 ? errno : EIO) }
        written += count
    }
}
