/// The inner loops of ``Resampler`` for samples of 8 bits without alpha: weighted sums of rows in fixed point of 16 bits.
///
/// Sixteen bits a sample are half the memory of floats, and a product takes the upper half of 32 bits, for which processors have one
/// instruction: a third of the time. A product is cut off below a 64th or a 128th of a level. As that is always downwards, every
/// other row is negated, and its products are subtracted: on average nothing is lost, and what is left is noise of a 30th of a level.
enum FixedRows {
    typealias Lane = SIMD8<Int16>

    /// Samples are counted from the middle grey, in steps of 1/128.
    private static let middle = 128
    private static let sampleStep: Int16 = 128

    /// The number of steps in a whole weight of a row; 0 if weights, or the sums of their products, are too large for fixed point.
    ///
    /// - Parameters:
    ///   - across: the largest weight along a row, and the most that an output's weights are together, without their signs.
    ///   - down: the same of whole rows' weights.
    static func unit(across: (weight: Float, sum: Float), down: (weight: Float, sum: Float)) -> Float {
        guard across.sum < 1.9, down.sum < 1.9 else { return 0 }
        return down.weight < 0.49 ? 65_536 : down.weight < 0.99 ? 32_768 : 0
    }

    /// Four rows' weights as ``add(_:stride:count:to:weights:)`` takes them.
    static func put(_ weights: SIMD4<Float>, unit: Float, to lanes: UnsafeMutablePointer<Lane>) {
        let steps = (weights * unit).rounded(.toNearestOrEven)
        for row in 0..<4 { lanes[row] = Lane(repeating: Int16(steps[row])) }
    }

    /// `count` samples of a row; `isNegated` for every other one.
    static func load(
        _ samples: UnsafePointer<UInt8>, into lanes: UnsafeMutablePointer<Lane>, count: Int, isNegated: Bool
    ) {
        let base = UnsafeRawPointer(samples)
        let step: Int16 = isNegated ? -sampleStep : sampleStep
        var index = 0
        while index &+ 8 <= count {
            let wide = Lane(truncatingIfNeeded: (base + index).loadUnaligned(as: SIMD8<UInt8>.self))
            lanes[index &>> 3] = (wide &- Int16(middle)) &* step
            index &+= 8
        }
        guard index < count else { return }
        var last = Lane.zero
        for place in 0..<(count &- index) { last[place] = (Int16(samples[index &+ place]) &- Int16(middle)) &* step }
        lanes[index &>> 3] = last
    }

    /// Adds four rows, `stride` lanes from each other, weighted, to one row of sums.
    ///
    /// The weights are read from memory each time, so that the compiler knows that they have 16 bits.
    static func add(
        _ rows: UnsafePointer<Lane>, stride: Int, count: Int, to sums: UnsafeMutablePointer<Lane>,
        weights: UnsafeMutablePointer<Lane>
    ) {
        let (row0, row1) = (rows, rows + stride)
        let (row2, row3) = (row1 + stride, row1 + 2 * stride)
        for index in 0..<count {
            sums[index] &+= sum((row0[index], row1[index], row2[index], row3[index]), weights)
        }
    }

    /// Adds them to two rows of sums at once: the source is read once for them.
    static func add(
        _ rows: UnsafePointer<Lane>, stride: Int, count: Int, to first: UnsafeMutablePointer<Lane>,
        _ second: UnsafeMutablePointer<Lane>, weights: UnsafeMutablePointer<Lane>,
        _ secondWeights: UnsafeMutablePointer<Lane>
    ) {
        let (row0, row1) = (rows, rows + stride)
        let (row2, row3) = (row1 + stride, row1 + 2 * stride)
        var index = 0
        // Two places between one read of the weights and the next.
        while index &+ 1 < count {
            let near = (row0[index], row1[index], row2[index], row3[index])
            let far = (row0[index &+ 1], row1[index &+ 1], row2[index &+ 1], row3[index &+ 1])
            let (nearFirst, farFirst) = (sum(near, weights), sum(far, weights))
            let (nearSecond, farSecond) = (sum(near, secondWeights), sum(far, secondWeights))
            first[index] &+= nearFirst
            first[index &+ 1] &+= farFirst
            second[index] &+= nearSecond
            second[index &+ 1] &+= farSecond
            index &+= 2
        }
        if index < count {
            let last = (row0[index], row1[index], row2[index], row3[index])
            let (lastFirst, lastSecond) = (sum(last, weights), sum(last, secondWeights))
            first[index] &+= lastFirst
            second[index] &+= lastSecond
        }
    }

    /// Four rows at one place with four weights.
    @inline(__always)
    private static func sum(_ samples: (Lane, Lane, Lane, Lane), _ weights: UnsafeMutablePointer<Lane>) -> Lane {
        let upper = product(samples.0, weights[0]) &- product(samples.1, weights[1])
        return upper &+ (product(samples.2, weights[2]) &- product(samples.3, weights[3]))
    }

    /// The upper half of the products.
    @inline(__always)
    private static func product(_ samples: Lane, _ weights: Lane) -> Lane {
        let products = SIMD8<Int32>(truncatingIfNeeded: samples) &* SIMD8<Int32>(truncatingIfNeeded: weights)
        return Lane(truncatingIfNeeded: products &>> 16)
    }
}
