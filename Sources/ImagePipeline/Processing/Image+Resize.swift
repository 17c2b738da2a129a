extension Image {
    /// The picture at exactly `target`, by one separable Lanczos filter, alpha premultiplied while filtering.
    /// A side less than 1 counts as 1. The shape may change; ``PixelSize/fitted(in:)`` gives a size that keeps it.
    public func resized(to target: PixelSize) -> Image {
        let target = PixelSize(width: max(1, target.width), height: max(1, target.height))
        guard target != size else { return self }
        let reduction = Reduction(
            plan: Reduction.Plan(
                source: size, extent: (Double(width), Double(height)), output: target, format: format,
                orientation: .up, iccProfile: iccProfile))
        bytes.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            for y in 0..<height { reduction.append(base + y * bytesPerRow) }
        }
        return reduction.image()
    }
}
