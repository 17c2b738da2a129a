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
    ///   - size: as stored, before it is turned. Sides less than 1 are taken for damage.
    ///   - format: what a pixel of a row is made of.
    ///   - metadata: what the file says beside its picture; the stored orientation is undone.
    ///   - iccProfile: what the samples are to be read with.
    ///   - heldBytes: what the decoder itself will hold: whole pictures, windows, input. It counts against
    ///     ``DecodeLimits/workingBytes``.
    ///   - options: what is asked for.
    ///   - watch: looks after cancellation and time.
    ///   - location: where in the file the header ends.
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
    ///   - row: a row's bytes, or more. Fewer throw: the row is not whole.
    ///   - location: where in the file they stand.
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
}
