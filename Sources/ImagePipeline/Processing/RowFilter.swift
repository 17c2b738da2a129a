/// The inner loops of ``Resampler``: rows of bytes to floats, weighted sums of rows, and weighted sums along a row.
///
/// Vectors of four or eight floats over raw memory; the callers own the buffers and have sized them.
enum RowFilter {
    /// Bytes to floats; colour times alpha where there is alpha.
    static func load(
        _ row: UnsafePointer<UInt8>, into line: UnsafeMutableRawPointer, width: Int, format: PixelFormat
    ) {
        let floats = line.assumingMemoryBound(to: Float.self)
        switch format {
        case .grey8, .rgb8:
            for index in 0..<(width &* format.channels) { floats[index] = Float(row[index]) }
        case .greyAlpha8:
            for x in 0..<width {
                let alpha = Float(row[2 &* x &+ 1])
                floats[2 &* x] = Float(row[2 &* x]) * (alpha * (1 / 255))
                floats[2 &* x &+ 1] = alpha
            }
        case .rgba8:
            for x in 0..<width {
                let at = 4 &* x
                let alpha = Float(row[at &+ 3])
                let share = alpha * (1 / 255)
                floats[at] = Float(row[at]) * share
                floats[at &+ 1] = Float(row[at &+ 1]) * share
                floats[at &+ 2] = Float(row[at &+ 2]) * share
                floats[at &+ 3] = alpha
            }
        }
    }

    /// Adds two source rows, weighted, to one row of sums.
    static func add(
        _ line: UnsafePointer<SIMD8<Float>>, _ next: UnsafePointer<SIMD8<Float>>, count: Int,
        to sums: UnsafeMutablePointer<SIMD8<Float>>, weights: (Float, Float)
    ) {
        let weight0 = SIMD8<Float>(repeating: weights.0)
        let weight1 = SIMD8<Float>(repeating: weights.1)
        for index in 0..<count { sums[index] += line[index] * weight0 + next[index] * weight1 }
    }

    /// The same for two rows of sums at once: the source is read once for them.
    static func add(
        _ line: UnsafePointer<SIMD8<Float>>, _ next: UnsafePointer<SIMD8<Float>>, count: Int,
        to first: UnsafeMutablePointer<SIMD8<Float>>, _ second: UnsafeMutablePointer<SIMD8<Float>>,
        weights firstWeights: (Float, Float), _ secondWeights: (Float, Float)
    ) {
        let first0 = SIMD8<Float>(repeating: firstWeights.0)
        let first1 = SIMD8<Float>(repeating: firstWeights.1)
        let second0 = SIMD8<Float>(repeating: secondWeights.0)
        let second1 = SIMD8<Float>(repeating: secondWeights.1)
        for index in 0..<count {
            let samples = line[index]
            let below = next[index]
            first[index] += samples * first0 + below * first1
            second[index] += samples * second0 + below * second1
        }
    }

    /// Weighted sums along a row of floats, back to bytes.
    static func reduce(
        _ line: UnsafeRawPointer, into out: UnsafeMutablePointer<UInt8>, taps: FilterTaps, width: Int,
        format: PixelFormat
    ) {
        taps.weights.withUnsafeBufferPointer { buffer in
            guard let weights = buffer.baseAddress else { return }
            for x in 0..<width {
                let first = taps.first[x]
                let count = taps.count[x]
                let window = weights + x &* taps.stride
                switch format {
                case .grey8:
                    out[x] = byte(greySum(line + first &* 4, window, count))
                case .greyAlpha8:
                    let sum = greyAlphaSum(line + first &* 8, window, count)
                    let alpha = sum[1]
                    out[2 &* x] = alpha > 0 ? byte(sum[0] * 255 / alpha) : 0
                    out[2 &* x &+ 1] = byte(alpha)
                case .rgb8:
                    let sum = pixelSum(line + first &* 12, window, count, pixelBytes: 12)
                    let at = out + 3 &* x
                    at[0] = byte(sum[0])
                    at[1] = byte(sum[1])
                    at[2] = byte(sum[2])
                case .rgba8:
                    let sum = pixelSum(line + first &* 16, window, count, pixelBytes: 16)
                    let alpha = sum[3]
                    let colour = alpha > 0 ? sum * (255 / alpha) : .zero
                    let at = out + 4 &* x
                    at[0] = byte(colour[0])
                    at[1] = byte(colour[1])
                    at[2] = byte(colour[2])
                    at[3] = byte(alpha)
                }
            }
        }
    }

    @inline(__always)
    private static func byte(_ value: Float) -> UInt8 {
        // A sum of a few hundred bytes' worth is far inside Int32; the comparison also turns NaN away.
        value > 0 ? UInt8(truncatingIfNeeded: Int32(min(value, 255) + 0.5)) : 0
    }

    /// Colour pixels of 3 or 4 floats; with 3, the fourth lane carries the next pixel's first sample and is not used.
    @inline(__always)
    private static func pixelSum(
        _ pixels: UnsafeRawPointer, _ weights: UnsafePointer<Float>, _ count: Int, pixelBytes: Int
    ) -> SIMD4<Float> {
        var even = SIMD4<Float>.zero
        var odd = SIMD4<Float>.zero
        var index = 0
        while index &+ 1 < count {
            let at = pixels + index &* pixelBytes
            even += at.loadUnaligned(as: SIMD4<Float>.self) * weights[index]
            odd += (at + pixelBytes).loadUnaligned(as: SIMD4<Float>.self) * weights[index &+ 1]
            index &+= 2
        }
        if index < count {
            even += (pixels + index &* pixelBytes).loadUnaligned(as: SIMD4<Float>.self) * weights[index]
        }
        return even + odd
    }

    /// Four samples a step; beyond `count` the weights are zero and the samples finite.
    @inline(__always)
    private static func greySum(_ samples: UnsafeRawPointer, _ weights: UnsafePointer<Float>, _ count: Int) -> Float {
        var sums = SIMD4<Float>.zero
        for index in stride(from: 0, to: count, by: 4) {
            let four = (samples + index &* 4).loadUnaligned(as: SIMD4<Float>.self)
            sums += four * UnsafeRawPointer(weights + index).loadUnaligned(as: SIMD4<Float>.self)
        }
        return sums.sum()
    }

    @inline(__always)
    private static func greyAlphaSum(
        _ pixels: UnsafeRawPointer, _ weights: UnsafePointer<Float>, _ count: Int
    ) -> SIMD2<Float> {
        var sum = SIMD2<Float>.zero
        for index in 0..<count {
            sum += (pixels + index &* 8).loadUnaligned(as: SIMD2<Float>.self) * weights[index]
        }
        return sum
    }
}
