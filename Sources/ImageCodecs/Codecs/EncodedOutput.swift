import Files

/// Where an encoder's bytes go, as they come: into memory, or to a file descriptor in pieces of 64 KiB.
final class EncodedOutput {
    private(set) var bytes: [UInt8] = []
    private let descriptor: Int32?
    private let limit: Int
    /// Whether there were more bytes than the limit.
    private(set) var isBeyondLimit = false
    /// The `errno` of a write that failed.
    private(set) var failure: Int32?

    /// - Parameter limit: for how many bytes there is room in memory.
    init(to descriptor: Int32? = nil, limit: Int = .max) {
        self.descriptor = descriptor
        self.limit = limit
        if descriptor != nil { bytes.reserveCapacity(FileDescriptor.chunkSize) }
    }

    /// What the C encoders call, with one of these as their context; 0 to go on.
    static let write: @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<UInt8>?, Int) -> Int32 = {
        context, bytes, count in
        guard let context else { return 1 }
        let output = Unmanaged<EncodedOutput>.fromOpaque(context).takeUnretainedValue()
        return output.append(UnsafeBufferPointer(start: bytes, count: count)) ? 0 : 1
    }

    func append(_ more: UnsafeBufferPointer<UInt8>) -> Bool {
        guard more.count <= limit - bytes.count else {
            isBeyondLimit = true
            return false
        }
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

    /// Runs a C encoder, which passes its bytes on to this.
    func run(
        _ format: ImageFormat, _ encode: (UnsafeMutableRawPointer, UnsafeMutablePointer<CChar>?, Int) -> Bool
    ) throws(EncodeError) {
        var message = [CChar](repeating: 0, count: 256)
        let succeeded = withExtendedLifetime(self) {
            message.withUnsafeMutableBufferPointer { buffer in
                encode(Unmanaged.passUnretained(self).toOpaque(), buffer.baseAddress, buffer.count - 1)
            }
        }
        guard !succeeded else { return }
        let text = String(decoding: message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        throw .failed(text.isEmpty ? "no memory" : text, format: format)
    }
}
