/// The inner loops of ``GaussianBlur``. Rows of floats may be read, and written, up to 31 samples beyond `count`.
extension RowFilter {
    /// Weighted sums of rows that begin anywhere in memory.
    static func sum(
        _ rows: UnsafePointer<UnsafePointer<Float>>, weights: UnsafePointer<Float>, of rowCount: Int,
        into out: UnsafeMutablePointer<Float>, count: Int
    ) {
        for start in stride(from: 0, to: count, by: 32) {
            var (sum0, sum1, sum2, sum3) = (SIMD4<Float>.zero, SIMD4<Float>.zero, SIMD4<Float>.zero, SIMD4<Float>.zero)
            var (sum4, sum5, sum6, sum7) = (SIMD4<Float>.zero, SIMD4<Float>.zero, SIMD4<Float>.zero, SIMD4<Float>.zero)
            for index in 0..<rowCount {
                let at = UnsafeRawPointer(rows[index] + start)
                let weight = SIMD4<Float>(repeating: weights[index])
                sum0 += at.loadUnaligned(as: SIMD4<Float>.self) * weight
                sum1 += at.loadUnaligned(fromByteOffset: 16, as: SIMD4<Float>.self) * weight
                sum2 += at.loadUnaligned(fromByteOffset: 32, as: SIMD4<Float>.self) * weight
                sum3 += at.loadUnaligned(fromByteOffset: 48, as: SIMD4<Float>.self) * weight
                sum4 += at.loadUnaligned(fromByteOffset: 64, as: SIMD4<Float>.self) * weight
                sum5 += at.loadUnaligned(fromByteOffset: 80, as: SIMD4<Float>.self) * weight
                sum6 += at.loadUnaligned(fromByteOffset: 96, as: SIMD4<Float>.self) * weight
                sum7 += at.loadUnaligned(fromByteOffset: 112, as: SIMD4<Float>.self) * weight
            }
            let to = UnsafeMutableRawPointer(out + start)
            to.storeBytes(of: sum0, as: SIMD4<Float>.self)
            to.storeBytes(of: sum1, toByteOffset: 16, as: SIMD4<Float>.self)
            to.storeBytes(of: sum2, toByteOffset: 32, as: SIMD4<Float>.self)
            to.storeBytes(of: sum3, toByteOffset: 48, as: SIMD4<Float>.self)
            to.storeBytes(of: sum4, toByteOffset: 64, as: SIMD4<Float>.self)
            to.storeBytes(of: sum5, toByteOffset: 80, as: SIMD4<Float>.self)
            to.storeBytes(of: sum6, toByteOffset: 96, as: SIMD4<Float>.self)
            to.storeBytes(of: sum7, toByteOffset: 112, as: SIMD4<Float>.self)
        }
    }

    /// Weighted sums along a row of floats, as floats.
    static func blend(
        _ line: UnsafePointer<Float>, into out: UnsafeMutablePointer<Float>, taps: FilterTaps, channels: Int
    ) {
        let line = UnsafeRawPointer(line)
        taps.weights.withUnsafeBufferPointer { buffer in
            guard let weights = buffer.baseAddress else { return }
            for index in taps.first.indices {
                let (first, count) = (taps.first[index], taps.count[index])
                let window = weights + index &* taps.stride
                let to = UnsafeMutableRawPointer(out + index &* channels)
                switch channels {
                case 1: out[index] = greySum(line + first &* 4, window, count)
                case 2: to.storeBytes(of: greyAlphaSum(line + first &* 8, window, count), as: SIMD2<Float>.self)
                // The next pixel writes over the content of the fourth lane.
                case 3:
                    to.storeBytes(
                        of: pixelSum(line + first &* 12, window, count, pixelBytes: 12), as: SIMD4<Float>.self)
                default:
                    to.storeBytes(
                        of: pixelSum(line + first &* 16, window, count, pixelBytes: 16), as: SIMD4<Float>.self)
                }
            }
        }
    }

    /// Floats to samples, rounded; colour divided by alpha where there is alpha.
    @inline(__always)
    static func store<Sample: PixelSample>(
        _ floats: UnsafePointer<Float>, into out: MutableSamples<Sample>, count: Int, channels: Int
    ) {
        let coding = PlainCoding<Sample>()
        switch channels {
        case 2:
            for at in stride(from: 0, to: count, by: 2) {
                let alpha = floats[at &+ 1]
                out[at] = alpha > faintest ? coding.sample(floats[at] * (Sample.largest / alpha)) : 0
                out[at &+ 1] = coding.sample(alpha)
            }
        case 4:
            for at in stride(from: 0, to: count, by: 4) {
                let pixel = UnsafeRawPointer(floats + at).loadUnaligned(as: SIMD4<Float>.self)
                let alpha = pixel[3]
                var straight = alpha > faintest ? pixel * (Sample.largest / alpha) : .zero
                straight[3] = alpha
                straight.replace(with: Sample.largest, where: straight .> Sample.largest)
                let bits = unsafeBitCast(straight + roundingBias, to: SIMD4<UInt32>.self)
                out.store(SIMD4<Sample>(truncatingIfNeeded: bits), at: at)
            }
        default:
            var at = 0
            while at &+ 8 <= count {
                var eight = UnsafeRawPointer(floats + at).loadUnaligned(as: SIMD8<Float>.self)
                eight.replace(with: Sample.largest, where: eight .> Sample.largest)
                let bits = unsafeBitCast(eight + roundingBias, to: SIMD8<UInt32>.self)
                out.store(SIMD8<Sample>(truncatingIfNeeded: bits), at: at)
                at &+= 8
            }
            while at < count {
                out[at] = coding.sample(floats[at])
                at &+= 1
            }
        }
    }

    /// Less alpha than this is none, and has no colour.
    private static var faintest: Float { 1e-3 }

    /// 2²³: a float of this size has no bits left for fractions, and ends in the whole number that was added.
    private static var roundingBias: Float { 8_388_608 }
}
