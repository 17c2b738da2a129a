extension DecodeLimits {
    /// Throws if a picture of this size as stored, to be handed out with `output` pixels of a format, is beyond a limit.
    func check(
        stored: PixelSize, output: PixelSize, format: PixelFormat, location: DecodeError.Location
    ) throws(DecodeError) {
        try check(.dimension, max(stored.width, stored.height), dimension, location)
        try check(.pixels, Self.product(stored.width, stored.height), pixels, location)
        try check(
            .outputBytes, Self.product(Self.product(output.width, output.height), format.bytesPerPixel), outputBytes,
            location)
    }

    func check(
        _ limit: Limit, _ value: Int, _ allowed: Int, _ location: DecodeError.Location
    ) throws(DecodeError) {
        // What has saturated is more than a machine can count, whatever is allowed.
        guard value <= allowed, value < .max else {
            throw .limitExceeded(limit, value: value, allowed: allowed, at: location)
        }
    }

    /// Saturating, so that no header makes arithmetic trap.
    static func product(_ left: Int, _ right: Int) -> Int {
        let (value, overflow) = left.multipliedReportingOverflow(by: right)
        return overflow ? .max : value
    }
}
