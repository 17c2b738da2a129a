extension Resampler {
    /// Resamples a part of a picture.
    convenience init(
        source: PixelSize, region: Region, output: PixelSize, format: PixelFormat, filter: ResamplingFilter,
        averaged: Int = 1, linearLight: Bool = false
    ) {
        self.init(
            horizontal: FilterTaps(
                source: source.width, start: region.x, extent: region.width, output: output.width, filter: filter,
                averaged: averaged),
            vertical: FilterTaps(
                source: source.height, start: region.y, extent: region.height, output: output.height, filter: filter,
                averaged: averaged),
            format: format, linearLight: linearLight)
    }

    /// About the bytes an instance will hold.
    static func workingBytes(
        source: PixelSize, region: Region, output: PixelSize, format: PixelFormat, filter: ResamplingFilter
    ) -> Int {
        let row = vectors(width: source.width, format: format) * MemoryLayout<SIMD4<Float>>.stride
        let enlarging = max(1, Double(output.height) / region.height)
        let rows = row * (Int(14 * enlarging) + 2) + 4 * 512 * MemoryLayout<Float>.stride
        let horizontal = FilterTaps.stride(
            source: source.width, extent: region.width, output: output.width, filter: filter)
        let vertical = FilterTaps.stride(
            source: source.height, extent: region.height, output: output.height, filter: filter)
        return rows + (2 * horizontal * output.width + vertical * output.height) * MemoryLayout<Float>.stride
    }

    static func vectors(width: Int, format: PixelFormat) -> Int {
        (width * format.channels + 3) / 4 + 3
    }
}
