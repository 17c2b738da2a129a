import Files

/// The picture of a placeholder's hash.
struct PlaceholderDrawing {
    private struct Wave {
        let plane: PlaceholderHash.Plane
        let mean: Double
        let amplitudes: [Double]
    }

    private let size: PixelSize
    private let waves: [Wave]

    /// - Parameter bytes: As many as the layout says.
    init(_ bytes: [UInt8], _ layout: PlaceholderHash.Layout) {
        let head = Int(bytes[0]) | Int(bytes[1]) << 8 | Int(bytes[2]) << 16
        let tail = Int(bytes[3]) | Int(bytes[4]) << 8
        func part(_ number: Int, _ shift: Int, _ most: Int) -> Double { Double(number >> shift & most) / Double(most) }
        var means = [part(head, 0, 63), part(head, 6, 63) * 2 - 1, part(head, 12, 63) * 2 - 1]
        // Colours are drawn a quarter stronger than they were measured: rounding weakens them.
        var scales = [part(head, 18, 31), part(tail, 3, 63) * 1.25, part(tail, 9, 63) * 1.25]
        if layout.hasAlpha {
            means.append(part(Int(bytes[5]), 0, 15))
            scales.append(part(Int(bytes[5]), 4, 15))
        }
        var next = 0
        waves = layout.planes.enumerated().map { index, plane in
            let amplitudes = plane.frequencies.map { _ in
                defer { next += 1 }
                let nibble = bytes[layout.start + next / 2] >> (next % 2 * 4) & 15
                return (Double(nibble) / 7.5 - 1) * scales[index]
            }
            return Wave(plane: plane, mean: means[index], amplitudes: amplitudes)
        }
        let shape = Double(max(1, layout.columns)) / Double(max(1, layout.rows))
        size = PixelSize(
            width: Int((shape > 1 ? 32 : 32 * shape).rounded()), height: Int((shape > 1 ? 32 / shape : 32).rounded()))
    }

    func image() -> Image? {
        let planes = waves.map(samples)
        var bytes: [UInt8] = []
        for at in 0..<size.width * size.height {
            let (light, yellow, red) = (planes[0][at], planes[1][at], planes[2][at])
            let blue = light - 2 / 3 * yellow
            let strong = (3 * light - blue + red) / 2
            bytes += [strong, strong - red, blue].map(Self.sample)
            if planes.count > 3 { bytes.append(Self.sample(planes[3][at])) }
        }
        return Image(size: size, format: planes.count > 3 ? .rgba8 : .rgb8, bytes: bytes)
    }

    private static func sample(_ value: Double) -> UInt8 { UInt8(255 * min(1, max(0, value))) }

    /// The sum of a plane's waves at each pixel.
    private func samples(_ wave: Wave) -> [Double] {
        func cosines(_ count: Int, _ frequencies: Int) -> [[Double]] {
            (0..<frequencies).map { frequency in
                (0..<count).map { cos(.pi / Double(count) * (Double($0) + 0.5) * Double(frequency)) }
            }
        }
        let across = cosines(size.width, wave.plane.columns)
        let down = cosines(size.height, wave.plane.rows)
        var samples = [Double](repeating: wave.mean, count: size.width * size.height)
        for ((column, row), amplitude) in zip(wave.plane.frequencies, wave.amplitudes) {
            for y in 0..<size.height {
                let factor = 2 * amplitude * down[row][y]
                for x in 0..<size.width { samples[y * size.width + x] += factor * across[column][x] }
            }
        }
        return samples
    }
}
