extension Resampler {
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
