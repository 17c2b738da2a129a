extension Image {
    /// Returns the picture at exactly the size `target`, smaller or larger, resampled by one separable filter, alpha
    /// premultiplied while filtering. A side less than 1 counts as 1. The shape may change;
    /// ``resized(in:mode:enlarges:filter:linearLight:)`` keeps it.
    public func resized(
        to target: PixelSize, filter: ResamplingFilter = .lanczos3, linearLight: Bool = false
    ) -> Image {
        resized(in: target, mode: .exact, enlarges: true, filter: filter, linearLight: linearLight)
    }

    /// Returns the picture scaled to a box.
    ///
    /// - Parameters:
    ///   - box: pixels; a side less than 1 counts as 1.
    ///   - mode: what becomes of the picture where its shape is not the box's.
    ///   - enlarges: whether a picture smaller than the box becomes larger.
    ///   - filter: how samples are weighted.
    ///   - linearLight: whether what is weighted is the light that samples stand for, by sRGB's curve, as in
    ///     ``DecodeOptions/linearLight``.
    public func resized(
        in box: PixelSize, mode: ContentMode = .fit, enlarges: Bool = false, filter: ResamplingFilter = .lanczos3,
        linearLight: Bool = false
    ) -> Image {
        let placement = Placement(of: size, in: box, mode: mode, enlarges: enlarges)
        guard placement != Placement(of: size, in: nil, mode: mode, enlarges: enlarges) else { return self }
        let reduction = Reduction(
            plan: Reduction.Plan(
                source: size, region: placement.region, output: placement.output, format: format,
                orientation: .up, iccProfile: iccProfile, metadata: metadata, filter: filter,
                linearLight: linearLight))
        bytes.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            for y in 0..<height where !reduction.isComplete { reduction.append(base + y * bytesPerRow) }
        }
        return reduction.image()
    }
}
