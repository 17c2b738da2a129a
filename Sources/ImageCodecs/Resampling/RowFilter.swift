/// The inner loops of ``Resampler``: rows of samples to floats, weighted sums of rows, and weighted sums along a row.
///
/// Vectors of four floats over raw memory; the callers own the buffers and have sized them.
enum RowFilter {
    /// Samples to floats; colour times alpha where there is alpha. `count` samples, whole pixels where there is alpha.
    static func load(
        _ samples: UnsafeRawPointer, into floats: UnsafeMutablePointer<Float>, count: Int, format: PixelFormat
    ) {
        if format.isDeep {
            load(Samples<UInt16>(samples), into: floats, count: count, channels: format.channels)
        } else {
            load(Samples<UInt8>(samples), into: floats, count: count, channels: format.channels)
        }
    }

    @inline(__always)
    private static func load<Sample: PixelSample>(
        _ samples: Samples<Sample>, into floats: UnsafeMutablePointer<Float>, count: Int, channels: Int
    ) {
        switch channels {
        case 2:
            for at in stride(from: 0, to: count, by: 2) {
                let alpha = Float(samples[at &+ 1])
                floats[at] = Float(samples[at]) * (alpha * (1 / Sample.largest))
                floats[at &+ 1] = alpha
            }
        case 4:
            for at in stride(from: 0, to: count, by: 4) {
                let alpha = Float(samples[at &+ 3])
                let share = alpha * (1 / Sample.largest)
                floats[at] = Float(samples[at]) * share
                floats[at &+ 1] = Float(samples[at &+ 1]) * share
                floats[at &+ 2] = Float(samples[at &+ 2]) * share
                floats[at &+ 3] = alpha
            }
        default:
            var index = 0
            while index &+ 8 <= count {
                let wide = SIMD8<Float>(SIMD8<Int32>(truncatingIfNeeded: samples.eight(from: index)))
                UnsafeMutableRawPointer(floats + index).storeBytes(of: wide, as: SIMD8<Float>.self)
                index &+= 8
            }
            while index < count {
                floats[index] = Float(samples[index])
                index &+= 1
            }
        }
    }

    /// Rows as long as each other, one after the other: `count` vectors each, `stride` from the next one.
    struct Rows {
        let first: UnsafePointer<SIMD4<Float>>
        let stride: Int
        let count: Int
    }

    /// Adds four source rows, weighted, to one row of sums.
    ///
    /// Twice as wide vectors (AVX2, in C) took a third off this, and made everything between two calls slower by more:
    /// processors lower their clock for them.
    static func add(_ rows: Rows, to sums: UnsafeMutablePointer<SIMD4<Float>>, weights: SIMD4<Float>) {
        let (row0, row1) = (rows.first, rows.first + rows.stride)
        let (row2, row3) = (row1 + rows.stride, row1 + 2 * rows.stride)
        let (weight0, weight1) = (SIMD4(repeating: weights[0]), SIMD4(repeating: weights[1]))
        let (weight2, weight3) = (SIMD4(repeating: weights[2]), SIMD4(repeating: weights[3]))
        for index in 0..<rows.count {
            let upper = row0[index] * weight0 + row1[index] * weight1
            sums[index] += upper + (row2[index] * weight2 + row3[index] * weight3)
        }
    }

    /// The same for two rows of sums at once: the source is read once for them.
    static func add(
        _ rows: Rows, to first: UnsafeMutablePointer<SIMD4<Float>>, _ second: UnsafeMutablePointer<SIMD4<Float>>,
        weights: SIMD4<Float>, _ secondWeights: SIMD4<Float>
    ) {
        let (row0, row1) = (rows.first, rows.first + rows.stride)
        let (row2, row3) = (row1 + rows.stride, row1 + 2 * rows.stride)
        let (first0, first1) = (SIMD4(repeating: weights[0]), SIMD4(repeating: weights[1]))
        let (first2, first3) = (SIMD4(repeating: weights[2]), SIMD4(repeating: weights[3]))
        let (second0, second1) = (SIMD4(repeating: secondWeights[0]), SIMD4(repeating: secondWeights[1]))
        let (second2, second3) = (SIMD4(repeating: secondWeights[2]), SIMD4(repeating: secondWeights[3]))
        for index in 0..<rows.count {
            let (sample0, sample1, sample2, sample3) = (row0[index], row1[index], row2[index], row3[index])
            let upper = sample0 * first0 + sample1 * first1
            first[index] += upper + (sample2 * first2 + sample3 * first3)
            let secondUpper = sample0 * second0 + sample1 * second1
            second[index] += secondUpper + (sample2 * second2 + sample3 * second3)
        }
    }

    /// The same to light; colour times alpha where there is alpha.
    static func loadLight(
        _ samples: UnsafeRawPointer, into floats: UnsafeMutablePointer<Float>, count: Int, format: PixelFormat
    ) {
        if format.isDeep {
            DeepLinearLight.table.withLoops { curve in
                loadLight(Samples(samples), into: floats, count: count, format: format, curve)
            }
        } else {
            LinearLight.tables.withLoops { curve in
                loadLight(Samples(samples), into: floats, count: count, format: format, curve)
            }
        }
    }

    @inline(__always)
    private static func loadLight<Curve: LightCoding>(
        _ samples: Samples<Curve.Sample>, into floats: UnsafeMutablePointer<Float>, count: Int, format: PixelFormat,
        _ curve: Curve
    ) {
        guard format.hasAlpha else {
            for index in 0..<count { floats[index] = curve.light(samples[index]) }
            return
        }
        let channels = format.channels
        for at in stride(from: 0, to: count, by: channels) {
            let alpha = Float(samples[at &+ channels &- 1])
            let share = alpha * (1 / Curve.Sample.largest)
            for channel in 0..<(channels &- 1) {
                floats[at &+ channel] = curve.light(samples[at &+ channel]) * share
            }
            floats[at &+ channels &- 1] = alpha
        }
    }

    /// Weighted sums along a row of floats, back to samples.
    static func reduce(
        _ line: UnsafeRawPointer, into out: UnsafeMutableRawPointer, taps: FilterTaps, width: Int, format: PixelFormat
    ) {
        if format.isDeep {
            reduce(line, into: out, taps: taps, width: width, format: format, coding: PlainCoding<UInt16>())
        } else {
            reduce(line, into: out, taps: taps, width: width, format: format, coding: PlainCoding<UInt8>())
        }
    }

    /// The same of light.
    static func reduceLight(
        _ line: UnsafeRawPointer, into out: UnsafeMutableRawPointer, taps: FilterTaps, width: Int, format: PixelFormat
    ) {
        if format.isDeep {
            DeepLinearLight.table.withLoops { curve in
                reduce(line, into: out, taps: taps, width: width, format: format, coding: curve)
            }
        } else {
            LinearLight.tables.withLoops { curve in
                reduce(line, into: out, taps: taps, width: width, format: format, coding: curve)
            }
        }
    }

    @inline(__always)
    private static func reduce<Coding: SampleCoding>(
        _ line: UnsafeRawPointer, into out: UnsafeMutableRawPointer, taps: FilterTaps, width: Int,
        format: PixelFormat, coding: Coding
    ) {
        let plain = PlainCoding<Coding.Sample>()
        let out = MutableSamples<Coding.Sample>(out)
        let whole = Coding.Sample.largest
        taps.weights.withUnsafeBufferPointer { buffer in
            guard let weights = buffer.baseAddress else { return }
            for x in 0..<width {
                let first = taps.first[x]
                let count = taps.count[x]
                let window = weights + x &* taps.stride
                switch format.channels {
                case 1:
                    out[x] = coding.sample(greySum(line + first &* 4, window, count))
                case 2:
                    let sum = greyAlphaSum(line + first &* 8, window, count)
                    let alpha = sum[1]
                    out[2 &* x] = alpha > 0 ? coding.sample(sum[0] * whole / alpha) : 0
                    out[2 &* x &+ 1] = plain.sample(alpha)
                case 3:
                    let sum = colourSum(line + first &* 12, window, count)
                    let at = 3 &* x
                    out[at] = coding.sample(sum[0])
                    out[at &+ 1] = coding.sample(sum[1])
                    out[at &+ 2] = coding.sample(sum[2])
                default:
                    let sum = pixelSum(line + first &* 16, window, count, pixelBytes: 16)
                    let alpha = sum[3]
                    let colour = alpha > 0 ? sum * (whole / alpha) : .zero
                    let at = 4 &* x
                    out[at] = coding.sample(colour[0])
                    out[at &+ 1] = coding.sample(colour[1])
                    out[at &+ 2] = coding.sample(colour[2])
                    out[at &+ 3] = plain.sample(alpha)
                }
            }
        }
    }

    /// Pixels of 3 floats, four at a time: three vectors, in which each pixel's weight stands three times. Beyond `count` the weights
    /// are zero and the samples finite.
    @inline(__always)
    private static func colourSum(
        _ pixels: UnsafeRawPointer, _ weights: UnsafePointer<Float>, _ count: Int
    ) -> SIMD4<Float> {
        var (first, second, third) = (SIMD4<Float>.zero, SIMD4<Float>.zero, SIMD4<Float>.zero)
        var at = pixels
        for index in stride(from: 0, to: count, by: 4) {
            let four = UnsafeRawPointer(weights + index).loadUnaligned(as: SIMD4<Float>.self)
            first += at.loadUnaligned(as: SIMD4<Float>.self) * SIMD4(four[0], four[0], four[0], four[1])
            second += (at + 16).loadUnaligned(as: SIMD4<Float>.self) * SIMD4(four[1], four[1], four[2], four[2])
            third += (at + 32).loadUnaligned(as: SIMD4<Float>.self) * SIMD4(four[2], four[3], four[3], four[3])
            at += 48
        }
        return SIMD4(
            first[0] + first[3] + second[2] + third[1], first[1] + second[0] + second[3] + third[2],
            first[2] + second[1] + third[0] + third[3], 0)
    }

    /// Pixels of 3 or 4 floats; with 3, the fourth lane carries the next pixel's first sample and is not used.
    @inline(__always)
    static func pixelSum(
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
    static func greySum(_ samples: UnsafeRawPointer, _ weights: UnsafePointer<Float>, _ count: Int) -> Float {
        var sums = SIMD4<Float>.zero
        for index in stride(from: 0, to: count, by: 4) {
            let four = (samples + index &* 4).loadUnaligned(as: SIMD4<Float>.self)
            sums += four * UnsafeRawPointer(weights + index).loadUnaligned(as: SIMD4<Float>.self)
        }
        return sums.sum()
    }

    @inline(__always)
    static func greyAlphaSum(
        _ pixels: UnsafeRawPointer, _ weights: UnsafePointer<Float>, _ count: Int
    ) -> SIMD2<Float> {
        var sum = SIMD2<Float>.zero
        for index in 0..<count {
            sum += (pixels + index &* 8).loadUnaligned(as: SIMD2<Float>.self) * weights[index]
        }
        return sum
    }
}
