extension Image {
    /// Returns the picture at exactly the size `target`, smaller or larger, resampled by one separable filter, alpha
    /// premultiplied while filtering. A side less than 1 counts as 1. The shape may change;
    /// ``resized(in:mode:enlarges:filter:linearLight:)`` keeps it.
    ///
    /// - Parameters:
    ///   - target: The size of the result.
    ///   - filter: The filter that resamples the picture.
    ///   - linearLight: A Boolean value that determines whether to resample in linear light instead of encoded sample
    ///     values; see ``Rendition/linearLight``.
    public func resized(
        to target: PixelSize, filter: ResamplingFilter = .lanczos3, linearLight: Bool = false
    ) -> Image {
        resized(in: target, mode: .exact, enlarges: true, filter: filter, linearLight: linearLight)
    }

    /// Returns the picture scaled to a box.
    ///
    /// - Parameters:
    ///   - box: Pixels; a side less than 1 counts as 1.
    ///   - mode: The treatment of a picture whose shape is not the box's.
    ///   - enlarges: A Boolean value that determines whether a picture smaller than the box is enlarged.
    ///   - filter: The filter that resamples the picture.
    ///   - linearLight: A Boolean value that determines whether to resample in linear light instead of encoded sample
    ///     values; see ``Rendition/linearLight``.
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
            reduction.append(base, rowBytes: bytesPerRow, count: reduction.rowsNeeded)
        }
        return reduction.image()
    }
}
