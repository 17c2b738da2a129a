/// Compares a picture that is made of another one's rows with a strip that is made of the decoded ones.
///
/// A look at the file, or at the other picture, does not tell what is lost: it depends on what the filters make of just this content.
final class DerivationCheck {
    /// The reduction of the strip; it takes the decoded rows.
    let strip: Reduction
    /// The strip's place in the picture.
    private let (x, y): (Int, Int)
    private let samples: Int
    /// The sum of the squares of the differences so far.
    private var sum = 0
    private let limit: Int

    /// The pixels across.
    private static let width = 32
    /// The squares of the differences, in levels, on average. Two pictures of one content are rounded differently, which alone makes a sixth;
    /// at a half, a picture that has 54 dB keeps 50.
    private static let limit = 0.5

    /// - Parameter plan: the plan that makes the whole picture of the decoded rows.
    init(of plan: Reduction.Plan) {
        let width = min(Self.width, plan.output.width)
        // Not in the middle, where patterns may be symmetrical.
        x = (plan.output.width - width) * 2 / 5
        let part = plan.strip(at: x, width: width)
        y = (plan.output.height - part.output.height) / 2
        strip = Reduction(plan: part)
        samples = width * plan.format.bytesPerPixel
        limit = Int(Double(samples * part.output.height) * Self.limit)
    }

    /// Whether the two differ by too much, however the rest may look.
    private(set) var hasFailed = false

    /// Compares a row of the whole picture; ones that the strip does not have, or not yet, are passed over.
    func compare(_ row: UnsafePointer<UInt8>, _ index: Int) {
        guard !hasFailed, index >= y else { return }
        let shown = row + x * (samples / strip.plan.output.width)
        strip.withRow(index - y) { exact in
            for sample in 0..<samples {
                let difference = Int(shown[sample]) - Int(exact[sample])
                sum += difference * difference
            }
        }
        hasFailed = sum > limit
    }
}
