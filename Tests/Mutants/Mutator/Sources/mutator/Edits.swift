/// Insertions into a text. None moves a line, and any number of them may begin or end at one place.
struct Edits {
    private enum Side: Int {
        // What ends at a place ends before anything begins there.
        case end, begin
    }

    private struct Insertion {
        let offset: Int
        let side: Side
        let order: Int
        let text: String
        /// The bytes that it takes the place of.
        var replaced = 0
    }

    private var insertions: [Insertion] = []

    /// Puts a text before and one behind a range of bytes. Of two ranges with one beginning or end the first that is given is the outer one.
    mutating func wrap(_ range: Range<Int>, in opening: String, _ closing: String) {
        let order = insertions.count
        insertions.append(Insertion(offset: range.lowerBound, side: .begin, order: order, text: opening))
        insertions.append(Insertion(offset: range.upperBound, side: .end, order: -order, text: closing))
    }

    /// Puts a text in the place of a range of bytes.
    mutating func replace(_ range: Range<Int>, by text: String) {
        insertions.append(
            Insertion(
                offset: range.lowerBound, side: .begin, order: insertions.count, text: text, replaced: range.count))
    }

    /// The text after all of them.
    func applied(to source: [UInt8]) -> [UInt8] {
        let sorted = insertions.sorted {
            ($0.offset, $0.side.rawValue, $0.order) < ($1.offset, $1.side.rawValue, $1.order)
        }
        var result: [UInt8] = []
        var position = 0
        for insertion in sorted {
            result += source[position..<insertion.offset]
            result += insertion.text.utf8
            position = insertion.offset + insertion.replaced
        }
        return result + source[position...]
    }
}
