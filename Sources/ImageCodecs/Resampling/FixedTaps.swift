/// Weighted sums along a row of ``FixedRows``' sums, in fixed point of 16 bits: from the row's samples to those of the output.
///
/// Two samples at a time are multiplied by two weights and added, in 32 bits, which is one instruction for eight of them. For that
/// the weights lie as they are used: of colour four pixels are two vectors, in which the first pixel's samples alternate with the third's,
/// and the second's with the fourth's.
final class FixedTaps {
    private typealias Lane = FixedRows.Lane

    private let first: [Int]
    /// The steps of an output: four pixels of colour, eight of grey.
    private let steps: [Int]
    private let isColour: Bool
    /// Vectors of weights, `stride` bytes for each output.
    private let weights: UnsafeMutableRawPointer
    private let stride: Int
    /// From a sum of products to a level.
    private let shift: Int32

    /// Samples beyond a row that are read, with weights of zero, rounded up to whole vectors.
    static let margin = 2

    /// - Parameters:
    ///   - taps: the weights.
    ///   - unit: what a whole weight of the rows' sums is.
    ///   - across: the largest weight, and the most that an output's weights are together, without their signs.
    ///   - down: the same of the rows' weights.
    ///   - channels: one or three.
    init(
        _ taps: FilterTaps, unit: Float, across: (weight: Float, sum: Float), down: (weight: Float, sum: Float),
        channels: Int
    ) {
        // A sum of products has 14 bits of the row, those of the weight, and what both filters overshoot; it has to fit into 32.
        let bits: Int32 = across.weight < 0.99 && across.sum * down.sum < 3 ? 15 : 14
        shift = bits + (unit == 65_536 ? 7 : 6)
        isColour = channels == 3
        let pixels = isColour ? 4 : 8
        first = taps.first.map { $0 * channels }
        steps = taps.count.map { ($0 + pixels - 1) / pixels }
        stride = (taps.stride + pixels - 1) / pixels * (isColour ? 32 : 16)
        weights = .allocate(byteCount: max(1, stride * first.count), alignment: 16)
        weights.initializeMemory(as: UInt8.self, repeating: 0, count: stride * first.count)
        let whole = Float(Int32(1) << bits)
        for output in first.indices {
            // Each weight makes up for the rounding of the one before, so that their sum stays whole.
            var rest: Float = 0
            for tap in 0..<taps.count[output] {
                let exact = taps.weights[output * taps.stride + tap] * whole + rest
                let step = exact.rounded(.toNearestOrEven)
                rest = exact - step
                put(Int16(step), tap, at: weights + output * stride)
            }
        }
    }

    deinit { weights.deallocate() }

    private func put(_ weight: Int16, _ tap: Int, at weights: UnsafeMutableRawPointer) {
        guard isColour else { return weights.storeBytes(of: weight, toByteOffset: 2 * tap, as: Int16.self) }
        // Red, green and blue of the first and the third pixel, and red of the second and the fourth; then these two's green and blue.
        let isLate = tap & 2
        let (start, end) = tap & 1 == 0 ? (0, 12) : (12, 24)
        for place in Swift.stride(from: start, to: end, by: 4) {
            weights.storeBytes(of: weight, toByteOffset: tap / 4 * 32 + place + isLate, as: Int16.self)
        }
    }

    /// Reduces a row.
    ///
    /// - Parameters:
    ///   - sums: the row, and ``margin`` vectors beyond it.
    ///   - out: room for one byte more than the output's.
    func reduce(_ sums: UnsafeRawPointer, into out: UnsafeMutablePointer<UInt8>) {
        let half = Int32(128) << shift + Int32(1) << (shift - 1)
        if isColour {
            for output in first.indices {
                let sum = colourSum(sums + 2 &* first[output], weights + output &* stride, steps[output])
                let levels = level(sum &+ half)
                // The fourth byte is overwritten by the next pixel.
                UnsafeMutableRawPointer(out + 3 &* output).storeBytes(of: levels, as: SIMD4<UInt8>.self)
            }
        } else {
            for output in first.indices {
                let sum = greySum(sums + 2 &* first[output], weights + output &* stride, steps[output])
                out[output] = level(SIMD4(repeating: sum &+ half))[0]
            }
        }
    }

    @inline(__always)
    private func level(_ sum: SIMD4<Int32>) -> SIMD4<UInt8> {
        let levels = sum &>> SIMD4(repeating: shift)
        return SIMD4(truncatingIfNeeded: levels.clamped(lowerBound: .zero, upperBound: SIMD4(repeating: 255)))
    }

    @inline(__always)
    private func colourSum(_ samples: UnsafeRawPointer, _ weights: UnsafeRawPointer, _ count: Int) -> SIMD4<Int32> {
        var (near, far) = (SIMD4<Int32>.zero, SIMD4<Int32>.zero)
        var (at, pair) = (samples, weights)
        for _ in 0..<count {
            // Two pixels and what follows them, and the next two.
            let (a, b) = (at.loadUnaligned(as: Lane.self), (at + 12).loadUnaligned(as: Lane.self))
            near &+= products(
                Lane(lowHalf: SIMD4(a[0], b[0], a[1], b[1]), highHalf: SIMD4(a[2], b[2], a[3], b[3])),
                pair.load(as: Lane.self))
            far &+= products(
                Lane(lowHalf: SIMD4(a[4], b[4], a[5], b[5]), highHalf: SIMD4(a[6], b[6], a[7], b[7])),
                (pair + 16).load(as: Lane.self))
            at += 24
            pair += 32
        }
        return near &+ SIMD4(near[3], far[0], far[1], 0)
    }

    @inline(__always)
    private func greySum(_ samples: UnsafeRawPointer, _ weights: UnsafeRawPointer, _ count: Int) -> Int32 {
        var sums = SIMD4<Int32>.zero
        for offset in Swift.stride(from: 0, to: 16 &* count, by: 16) {
            sums &+= products(
                (samples + offset).loadUnaligned(as: Lane.self), (weights + offset).load(as: Lane.self))
        }
        return sums.wrappedSum()
    }

    /// Products, each two added.
    @inline(__always)
    private func products(_ samples: Lane, _ weights: Lane) -> SIMD4<Int32> {
        let products = SIMD8<Int32>(truncatingIfNeeded: samples) &* SIMD8<Int32>(truncatingIfNeeded: weights)
        return products.evenHalf &+ products.oddHalf
    }
}
