/// The part of a body that is on a store's medium and can be read there, whatever becomes of the entry and of its writer.
struct WrittenBody: Sendable {
    /// The bytes that can be read, from the first on.
    let length: Int
    /// Reads bytes that have been written. Blocks the calling thread.
    let read: @Sendable (Range<Int>) throws -> [UInt8]
}

/// A writer whose body can be read while it is being written.
protocol ReadableBodyWriter: BodyWriter {
    /// The part that has been written; nil once the writer has given up.
    var written: WrittenBody? { get }
}
