/// Turns decoded rows into the image that ``DecodeOptions`` ask for; each ``FormatDecoder`` hands its rows to one.
///
/// Limits are checked before anything is allocated. Rows are cut out, resampled, turned upright as they come: a picture that is
/// reduced is never held whole. Not thread-safe.
public final class DecodedRows {
    private let reduction: Reduction
    private let rowBytes: Int
    private let watch: DecodeWatch

    /// Creates a receiver of rows, and throws if a picture of this kind exceeds a limit.
    ///
    /// - Parameters:
    ///   - size: The size of the picture as stored, before it is turned. A side of less than 1 counts as damage.
    ///   - format: The layout of a pixel of a row.
    ///   - metadata: The facts that the file states about its picture; the stored orientation is undone.
    ///   - iccProfile: The ICC profile of the samples.
    ///   - heldBytes: The number of bytes that the decoder itself will hold: whole pictures, windows, input. They count
    ///     against ``DecodeLimits/workingBytes``.
    ///   - options: The rendition, and the limits of the decode.
    ///   - watch: The watch for cancellation and time.
    ///   - location: The place in the file, for errors.
    public init(
        size: PixelSize, format: PixelFormat, metadata: ImageMetadata = ImageMetadata(), iccProfile: [UInt8]? = nil,
        heldBytes: Int = 0, options: DecodeOptions, watch: DecodeWatch, location: DecodeError.Location
    ) throws(DecodeError) {
        guard size.width > 0, size.height > 0 else { throw .corrupt("a picture of \(size)", at: location) }
        reduction = Reduction(
            plan: try Reduction.Plan(
                size: size, format: format, metadata: metadata, iccProfile: iccProfile, heldBytes: heldBytes,
                options: options, location: location))
        rowBytes = size.width * format.bytesPerPixel
        self.watch = watch
    }

    /// Appends the next row, from the top of the stored picture. Rows that are not shown cost nothing; those beyond the
    /// last are ignored.
    ///
    /// - Parameters:
    ///   - row: A row's bytes, or more. Fewer throw: the row is not whole.
    ///   - location: The place in the file, for errors.
    public func append(
        _ row: UnsafeRawBufferPointer, at location: @autoclosure () -> DecodeError.Location
    ) throws(DecodeError) {
        guard !isComplete else { return }
        guard row.count >= rowBytes, let base = row.baseAddress else { throw .truncated(at: location()) }
        guard watch.goesOn(), reduction.append(base.assumingMemoryBound(to: UInt8.self), goesOn: watch.goesOn) else {
            throw watch.error(at: location())
        }
    }

    /// Appends the next row, given as an array; see ``append(_:at:)-(UnsafeRawBufferPointer,_)``.
    ///
    /// - Parameters:
    ///   - row: The bytes of a row, or more; with fewer the call throws.
    ///   - location: The place in the file, for errors.
    public func append(
        _ row: [UInt8], at location: @autoclosure () -> DecodeError.Location
    ) throws(DecodeError) {
        try row.withUnsafeBufferPointer { (buffer) throws(DecodeError) in
            try append(UnsafeRawBufferPointer(buffer), at: location())
        }
    }

    /// The number of rows that have been appended.
    public var count: Int { reduction.rowsTaken }

    /// A Boolean value that indicates whether all rows that show have been appended: those below the part that fills a
    /// box are not waited for.
    public var isComplete: Bool { reduction.isComplete }

    /// Returns the image made of the rows that have been appended; black, or clear, where there are none yet.
    public func image() -> Image { reduction.image() }

    /// The images of ``DecodeOptions/further``, made of the same rows.
    public var furtherImages: [Image] { reduction.furtherImages }
}
