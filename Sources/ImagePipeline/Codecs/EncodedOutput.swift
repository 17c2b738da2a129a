/// Where an encoder's bytes go, as they come: into memory, or to a file descriptor in pieces of 64 KiB.
final class EncodedOutput {
    private(set) var bytes: [UInt8] = []
    private let descriptor: Int32?
    /// The `errno` of a write that failed.
    private(set) var failure: Int32?

    init(to descriptor: Int32? = nil) {
        self.descriptor = descriptor
        if descriptor != nil { bytes.reserveCapacity(FileDescriptor.chunkSize) }
    }

    /// What the C encoders call, with one of these as their context; 0 to go on.
    static let write: @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<UInt8>?, Int) -> Int32 = {
        context, bytes, count in
        guard let context else { return 1 }
        let output = Unmanaged<EncodedOutput>.fromOpaque(context).takeUnretainedValue()
        return output.append(UnsafeBufferPointer(start: bytes, count: count)) ? 0 : 1
    }

    private func append(_ more: UnsafeBufferPointer<UInt8>) -> Bool {
        bytes.append(contentsOf: more)
        return descriptor == nil || bytes.count < FileDescriptor.chunkSize || flush()
    }

    /// Writes what is held.
    ///
    /// - Returns: whether all of it could be written.
    func flush() -> Bool {
        guard let descriptor, failure == nil else { return failure == nil }
        do throws(SystemError) {
            try bytes.withUnsafeBufferPointer { (buffer) throws(SystemError) in
                try writeAll(UnsafeRawBufferPointer(buffer), to: descriptor)
            }
        } catch {
            failure = error.code
        }
        bytes.removeAll(keepingCapacity: true)
        return failure == nil
    }
}
