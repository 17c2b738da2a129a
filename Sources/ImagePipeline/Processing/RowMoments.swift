/// Four rows of samples as their sum and their slope, which is all that a smooth filter sees of them once it is wide enough.
///
/// Weights along four rows are replaced by the straight line closest to them: their sum and their first moment stay, so that flat
/// pictures and gradients come out exactly as by the weights themselves. What is lost goes with the fourth power of the
/// reduction: at ``leastRatio`` it is a tenth of a sample's step for noise from black to white, and nothing in a photo. It is half of
/// the work: two products for each sum, not four.
enum RowMoments {
    /// Source rows for each output row, from which on it is done.
    static let leastRatio = 12.0

    /// What the sum and the slope are weighted by, as first and second element, for these weights of four rows.
    static func weights(_ rows: SIMD4<Float>) -> SIMD4<Float> {
        let slope = (3 * (rows[3] - rows[0]) + (rows[2] - rows[1])) * (1 / 20)
        return SIMD4(rows.sum() * 0.25, slope, 0, 0)
    }

    /// A strip of four rows, `stride` bytes from one to the next: sums to one place, and slopes (times two) to the other.
    static func load(
        _ samples: UnsafePointer<UInt8>, stride: Int, sums: UnsafeMutablePointer<SIMD4<Float>>,
        slopes: UnsafeMutablePointer<SIMD4<Float>>, count: Int
    ) {
        let (row0, row1) = (UnsafeRawPointer(samples), UnsafeRawPointer(samples + stride))
        let (row2, row3) = (row1 + stride, row1 + 2 * stride)
        let (sums, slopes) = (UnsafeMutableRawPointer(sums), UnsafeMutableRawPointer(slopes))
        var index = 0
        while index &+ 8 <= count {
            let (first, second) = (eight(row0 + index), eight(row1 + index))
            let (third, fourth) = (eight(row2 + index), eight(row3 + index))
            let sum = (first &+ fourth) &+ (second &+ third)
            let (outer, inner) = (fourth &- first, third &- second)
            let slope = (outer &+ outer) &+ (outer &+ inner)
            (sums + 4 &* index).storeBytes(
                of: SIMD8<Float>(SIMD8<Int32>(truncatingIfNeeded: sum)), as: SIMD8<Float>.self)
            (slopes + 4 &* index).storeBytes(
                of: SIMD8<Float>(SIMD8<Int32>(truncatingIfNeeded: slope)), as: SIMD8<Float>.self)
            index &+= 8
        }
        let (lastSums, lastSlopes) = (
            sums.assumingMemoryBound(to: Float.self), slopes.assumingMemoryBound(to: Float.self)
        )
        while index < count {
            let (first, second) = (Int(samples[index]), Int(samples[index &+ stride]))
            let (third, fourth) = (Int(samples[index &+ 2 &* stride]), Int(samples[index &+ 3 &* stride]))
            lastSums[index] = Float(first &+ second &+ third &+ fourth)
            lastSlopes[index] = Float(3 &* (fourth &- first) &+ (third &- second))
            index &+= 1
        }
    }

    @inline(__always)
    private static func eight(_ samples: UnsafeRawPointer) -> SIMD8<Int16> {
        SIMD8<Int16>(truncatingIfNeeded: samples.loadUnaligned(as: SIMD8<UInt8>.self))
    }

    /// Adds a strip of `count` vectors, weighted, to one row of sums.
    static func add(
        _ sums: UnsafePointer<SIMD4<Float>>, _ slopes: UnsafePointer<SIMD4<Float>>, count: Int,
        to target: UnsafeMutablePointer<SIMD4<Float>>, weights: SIMD4<Float>
    ) {
        let (sumWeight, slopeWeight) = (SIMD4(repeating: weights[0]), SIMD4(repeating: weights[1]))
        for index in 0..<count { target[index] += sums[index] * sumWeight + slopes[index] * slopeWeight }
    }

    /// The same for two rows of sums at once.
    static func add(
        _ sums: UnsafePointer<SIMD4<Float>>, _ slopes: UnsafePointer<SIMD4<Float>>, count: Int,
        to first: UnsafeMutablePointer<SIMD4<Float>>, _ second: UnsafeMutablePointer<SIMD4<Float>>,
        weights: SIMD4<Float>, _ secondWeights: SIMD4<Float>
    ) {
        let (firstSum, firstSlope) = (SIMD4(repeating: weights[0]), SIMD4(repeating: weights[1]))
        let (secondSum, secondSlope) = (SIMD4(repeating: secondWeights[0]), SIMD4(repeating: secondWeights[1]))
        for index in 0..<count {
            let (sum, slope) = (sums[index], slopes[index])
            first[index] += sum * firstSum + slope * firstSlope
            second[index] += sum * secondSum + slope * secondSlope
        }
    }
}
