import CFiles

/// Writes all of it, in as many calls as that takes: at an offset, or where the descriptor is.
package func writeAll(
    _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at offset: Int? = nil
) throws(SystemError) {
    var written = 0
    while written < bytes.count {
        let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
        let count = write_in_limit(
            descriptor, rest.baseAddress, rest.count, offset.map { Int64($0 + written) } ?? -1)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { throw SystemError("write", code: count < 0 ? errno : EIO) }
        written += count
    }
}
