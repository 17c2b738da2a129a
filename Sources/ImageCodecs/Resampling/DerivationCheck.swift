/// Compares a picture that is made of another one's rows with strips of it that are made of the decoded ones.
///
/// A look at the file, or at the other picture, does not tell what is lost: it depends on what the filters make of just this content. The strips
/// are narrow and go from top to bottom; a photo with a block of text in it has some of that in one of them. What they are made of is taken
/// from each decoded row and reduced as if it lay side by side.
final class DerivationCheck {
    /// The columns of the decoded rows that the strips are made of.
    let columns: Range<Int>
    /// Whether the two differ by too much, however the rest may look.
    private(set) var hasFailed = false

    private let resampler: Resampler
    /// Of each strip, the bytes of a decoded row that it is made of, and where in a row of the picture it begins.
    private let parts: [(source: Range<Int>, start: Int)]
    /// Room for what rows bring to the strips.
    private var gathered: [UInt8]
    private var rowsTaken = 0
    /// The strips' rows so far, those of one line side by side; and those of the picture that is compared. Either may be ahead.
    private var made: [UInt8] = []
    private var derived: [UInt8] = []
    /// The bytes of both that have been compared.
    private var compared = 0
    /// The bytes of one strip's row, and of all strips.
    private let stripBytes: Int
    private let byteCount: Int
    /// The picture's row that the strips begin with.
    private let top: Int
    /// The sum of the squares of the differences so far.
    private var sum = 0
    private let limit: Int

    private static let count = 4
    /// The rows that are gathered at a time: a resampler's batch.
    private static let rowsAtOnce = 8
    /// The pixels across.
    private static let width = 8
    /// The squares of the differences, in levels, on average. Two pictures of one content are rounded differently, which alone makes a sixth;
    /// at a half, a picture that has 54 dB keeps 50.
    private static let limit = 0.5

    /// - Parameter plan: the plan that makes the whole picture of the decoded rows.
    init(of plan: Reduction.Plan) {
        let width = min(Self.width, plan.output.width)
        let count = min(Self.count, plan.output.width / width)
        // Without the uppermost and lowest rows: those reach for rows beyond what other pictures show.
        top = min(4, plan.output.height / 8)
        let height = plan.output.height - 2 * top
        let (across, down) = plan.step
        let vertical = FilterTaps(
            source: plan.source.height, start: plan.region.y + Double(top) * down, extent: Double(height) * down,
            output: height, filter: plan.filter, averaged: plan.averaged)
        let pixelBytes = plan.format.bytesPerPixel
        var (taps, parts): ([FilterTaps], [(Range<Int>, Int)]) = ([], [])
        for index in 0..<count {
            // In the middle of its share of the picture.
            let x = max(0, (2 * index + 1) * plan.output.width / (2 * count) - width / 2)
            let part = FilterTaps(
                source: plan.source.width, start: plan.region.x + Double(x) * across, extent: Double(width) * across,
                output: width, filter: plan.filter, averaged: plan.averaged)
            taps.append(part)
            parts.append((part.range.lowerBound * pixelBytes..<part.range.upperBound * pixelBytes, x * pixelBytes))
        }
        let joined = FilterTaps(joining: taps)
        columns = (taps.first?.range.lowerBound ?? 0)..<(taps.last?.range.upperBound ?? 0)
        resampler = Resampler(
            horizontal: joined, vertical: vertical, format: plan.format, linearLight: plan.linearLight)
        gathered = [UInt8](repeating: 0, count: joined.range.count * pixelBytes * Self.rowsAtOnce)
        self.parts = parts
        stripBytes = width * pixelBytes
        byteCount = stripBytes * count * height
        limit = Int(Double(byteCount) * Self.limit)
        made.reserveCapacity(byteCount)
        derived.reserveCapacity(byteCount)
    }

    /// The decoded rows that the strips are made of.
    var rows: Range<Int> { resampler.rows }

    /// Takes the next decoded rows, `rowBytes` from each other.
    func append(_ first: UnsafePointer<UInt8>, rowBytes: Int, count: Int) {
        let wanted = rows.clamped(to: rowsTaken..<rowsTaken + count)
        var next = first + (wanted.lowerBound - rowsTaken) * rowBytes
        rowsTaken += count
        gathered.withUnsafeMutableBufferPointer { gathered in
            guard let start = gathered.baseAddress else { return }
            let gatheredBytes = gathered.count / Self.rowsAtOnce
            var rest = wanted.count
            while rest > 0, !hasFailed {
                // As many as are there, together: those the resampler reads where they lie.
                let count = min(rest, Self.rowsAtOnce)
                var place = start
                for _ in 0..<count {
                    for part in parts {
                        place.update(from: next + part.source.lowerBound, count: part.source.count)
                        place += part.source.count
                    }
                    next += rowBytes
                }
                rest -= count
                var taken = 0
                while taken < count {
                    taken += resampler.append(
                        start + taken * gatheredBytes, rowBytes: gatheredBytes, count: count - taken)
                    _ = resampler.makeRows(keep)
                }
            }
        }
    }

    /// Makes all rows that those taken suffice for.
    func catchUp() { _ = resampler.makeRows(all: true, keep) }

    private func keep(_ row: UnsafePointer<UInt8>) -> Bool {
        made.append(contentsOf: UnsafeBufferPointer(start: row, count: parts.count * stripBytes))
        compare()
        return true
    }

    /// Takes the picture's next row; ones that the strips do not have are passed over.
    func compare(_ row: UnsafePointer<UInt8>, _ index: Int) {
        guard !hasFailed, index >= top, derived.count < byteCount else { return }
        for part in parts {
            derived.append(contentsOf: UnsafeBufferPointer(start: row + part.start, count: stripBytes))
        }
        compare()
    }

    /// Compares what is there of both.
    private func compare() {
        let end = min(made.count, derived.count)
        made.withUnsafeBufferPointer { made in
            derived.withUnsafeBufferPointer { derived in
                while compared < end {
                    let difference = Int(derived[compared]) - Int(made[compared])
                    sum += difference * difference
                    compared += 1
                }
            }
        }
        hasFailed = sum > limit
    }
}
