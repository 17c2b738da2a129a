extension Reduction.Plan {
    /// What becomes of a file's rows, of whichever format; throws if that is beyond a limit.
    ///
    /// - Parameters:
    ///   - size: as stored.
    ///   - format: what rows are made of.
    ///   - heldBytes: what the decoder holds beside the reduction.
    init(
        size: PixelSize, format: PixelFormat, metadata: ImageMetadata, iccProfile: [UInt8]?, heldBytes: Int,
        options: DecodeOptions, location: DecodeError.Location
    ) throws(DecodeError) {
        let placement = options.placement(stored: size, metadata.storedOrientation)
        let limits = options.limits
        try limits.check(stored: size, output: placement.output, format: format, location: location)
        self.init(
            source: size, region: placement.region, output: placement.output, format: format,
            orientation: metadata.storedOrientation, iccProfile: iccProfile, metadata: metadata,
            filter: options.rendition.filter,
            linearLight: options.rendition.linearLight)
        let (working, overflow) = workingBytes.addingReportingOverflow(max(0, heldBytes))
        try limits.check(.workingBytes, overflow ? .max : working, limits.workingBytes, location)
    }
}
