import Files

/// The computation of a placeholder's hash.
struct PlaceholderEncoding {
    /// A side of the picture that frequencies are taken of: enough for seven of them.
    private static let side = 32

    private let layout: PlaceholderHash.Layout
    private let width: Int
    private let height: Int
    /// Samples of each plane, as ``PlaceholderHash/Layout/planes`` has them.
    private var planes: [[Double]]

    init(of image: Image) {
        let box = PixelSize(width: Self.side, height: Self.side)
        let small = image.resized(in: box, filter: .bilinear).converted(to: .rgba8)
        (width, height) = (small.width, small.height)
        let count = width * height
        var pixels: [SIMD4<Double>] = []
        pixels.reserveCapacity(count)
        small.withUnsafeBytes { bytes in
            for at in stride(from: 0, to: 4 * count, by: 4) {
                pixels.append(SIMD4((0..<4).map { Double(bytes[at + $0]) / 255 }))
            }
        }
        var sum = SIMD4<Double>.zero
        for pixel in pixels { sum += SIMD4(pixel.x * pixel.w, pixel.y * pixel.w, pixel.z * pixel.w, pixel.w) }
        let mean = sum.w > 0 ? sum / sum.w : .zero
        layout = PlaceholderHash.Layout(image, hasAlpha: sum.w < Double(count) - 0.001)
        planes = Array(repeating: [], count: 4)
        for pixel in pixels {
            // Transparent pixels have the mean's colour, and add no frequencies of its own.
            let colour = mean + (pixel - mean) * pixel.w
            planes[0].append((colour.x + colour.y + colour.z) / 3)
            planes[1].append((colour.x + colour.y) / 2 - colour.z)
            planes[2].append(colour.x - colour.y)
            planes[3].append(pixel.w)
        }
    }

    var bytes: [UInt8] {
        let waves = zip(layout.planes, planes).map { wave($1, $0) }
        var head = Self.whole(63 * waves[0].mean) | Self.whole(31.5 + 31.5 * waves[1].mean) << 6
        head |= Self.whole(31.5 + 31.5 * waves[2].mean) << 12 | Self.whole(31 * waves[0].scale) << 18
        head |= layout.hasAlpha ? 1 << 23 : 0
        var tail = (layout.isLandscape ? layout.rows : layout.columns) | Self.whole(63 * waves[1].scale) << 3
        tail |= Self.whole(63 * waves[2].scale) << 9 | (layout.isLandscape ? 1 << 15 : 0)
        var bytes = [head, head >> 8, head >> 16, tail, tail >> 8].map { UInt8(truncatingIfNeeded: $0) }
        if layout.hasAlpha {
            bytes.append(UInt8(Self.whole(15 * waves[3].mean) | Self.whole(15 * waves[3].scale) << 4))
        }
        let nibbles = waves.flatMap { wave in wave.amplitudes.map { Self.whole(15 * $0) } }
        for at in stride(from: 0, to: nibbles.count, by: 2) {
            bytes.append(UInt8(nibbles[at] | (at + 1 < nibbles.count ? nibbles[at + 1] << 4 : 0)))
        }
        return bytes
    }

    /// No mean and no amplitude is larger than the largest sample, which is one: what is rounded is between zero and what its field holds.
    private static func whole(_ value: Double) -> Int { Int(value.rounded()) }

    /// The mean of a plane, its largest amplitude, and all of them between 0 and 1.
    private func wave(
        _ samples: [Double], _ plane: PlaceholderHash.Plane
    ) -> (mean: Double, scale: Double, amplitudes: [Double]) {
        let amplitudes = plane.frequencies.map { amplitude(of: samples, $0.column, $0.row) }
        let scale = amplitudes.reduce(0) { max($0, abs($1)) }
        // Where nothing is left of the scale, the amplitudes are those of rounding.
        return (
            amplitude(of: samples, 0, 0), scale, amplitudes.map { scale > 0.001 ? 0.5 + 0.5 * $0 / scale : 0.5 }
        )
    }

    private func amplitude(of samples: [Double], _ column: Int, _ row: Int) -> Double {
        let across = (0..<width).map { cos(.pi / Double(width) * Double(column) * (Double($0) + 0.5)) }
        var sum = 0.0
        for y in 0..<height {
            let down = cos(.pi / Double(height) * Double(row) * (Double(y) + 0.5))
            for x in 0..<width { sum += samples[y * width + x] * across[x] * down }
        }
        return sum / Double(width * height)
    }
}
