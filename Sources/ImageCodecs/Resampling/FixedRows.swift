/// The inner loops of ``Resampler`` for samples of 8 bits without alpha: weighted sums of rows in fixed point of 16 bits.
///
/// Sixteen bits a sample are half the memory of floats, and a product takes the upper half of 32 bits, for which processors have one
/// instruction: a third of the time. A product is cut off below a 64th or a 128th of a level. As that is always downwards, every
/// other row is negated, and its products are subtracted: on average nothing is lost, and what is left is noise of a 30th of a level.
enum FixedRows {
    /// The number of steps in a whole weight of a row; 0 if weights, or the sums of their products, are too large for fixed point.
    ///
    /// - Parameters:
    ///   - across: the largest weight along a row, and the most that an output's weights are together, without their signs.
    ///   - down: the same of whole rows' weights.
    static func unit(across: (weight: Float, sum: Float), down: (weight: Float, sum: Float)) -> Float {
        guard across.sum < 1.9, down.sum < 1.9 else { return 0 }
        return down.weight < 0.49 ? 65_536 : down.weight < 0.99 ? 32_768 : 0
    }

    /// The nearest whole number of one whose magnitude is below 2²², the even one of two. Processors of the oldest kind have no instruction for
    /// it, and a call of the library takes several times as long.
    static func nearest(_ value: Float) -> Float {
        let shift: Float = 3 * 0x1p22
        return (value + shift) - shift
    }

    /// Bytes from one row of so many samples to the next, for reads of up to 32 bytes beyond each. The same places of neighbouring rows are
    /// worked on together: those that lie a multiple of 4,096 bytes apart would push each other out of the processor's cache.
    static func rowBytes(samples: Int) -> Int {
        let (needed, offset) = (2 * samples + 32, 1_088)
        return (needed - offset + 4_095) / 4_096 * 4_096 + offset
    }
}
