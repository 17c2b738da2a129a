/// A source of a generator's decisions: random numbers, which are recorded, or the recorded ones of an earlier run.
///
/// A generator draws nothing but numbers below a bound, and the smaller a number the simpler what is made of it. To
/// shrink a failing case is then to make its list of numbers shorter and smaller and to draw again: whatever the generator
/// makes of them is a value that it could have made at first, however it is composed.
public struct Choices: Sendable {
    /// The numbers drawn so far.
    public private(set) var drawn: [UInt64] = []

    private let replayed: [UInt64]?
    private var random: SeededGenerator

    /// Creates choices with new random numbers from a seed.
    ///
    /// - Parameter seed: The seed of the random numbers.
    public init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        replayed = nil
    }

    /// The numbers of an earlier run; 0, the simplest, when they are used up.
    init(replaying numbers: [UInt64]) {
        random = SeededGenerator(seed: 0)
        replayed = numbers
    }

    /// Returns the next number, from 0 up to the bound, which is at least 1.
    ///
    /// - Parameter bound: The number below which the result lies, at least 1.
    public mutating func next(below bound: UInt64) -> UInt64 {
        let bound = max(bound, 1)
        let number: UInt64
        if let replayed {
            number = drawn.count < replayed.count ? min(replayed[drawn.count], bound - 1) : 0
        } else {
            number = UInt64.random(in: 0..<bound, using: &random)
        }
        drawn.append(number)
        return number
    }

    /// Returns a whole number in a range; the lower end is the simplest.
    ///
    /// - Parameter range: The range of the number.
    public mutating func int(in range: ClosedRange<Int>) -> Int {
        let width = UInt64(bitPattern: Int64(range.upperBound)) &- UInt64(bitPattern: Int64(range.lowerBound))
        let offset = width == .max ? next(below: .max) : next(below: width + 1)
        return Int(truncatingIfNeeded: UInt64(bitPattern: Int64(range.lowerBound)) &+ offset)
    }

    /// Returns `true` in `share` of `total` draws on average; `false` is the simplest.
    ///
    /// - Parameters:
    ///   - share: The number of draws that give `true`.
    ///   - total: The number of draws.
    public mutating func chance(_ share: Int, of total: Int) -> Bool {
        next(below: UInt64(max(total, 1))) >= UInt64(max(total - share, 0))
    }

    /// Returns an element of a collection; the first is the simplest.
    ///
    /// - Precondition: `elements` is not empty.
    ///
    /// - Parameter elements: The elements to choose from.
    public mutating func element<Elements: RandomAccessCollection>(of elements: Elements) -> Elements.Element {
        precondition(!elements.isEmpty, "There has to be something to choose from.")
        return elements[elements.index(elements.startIndex, offsetBy: int(in: 0...(elements.count - 1)))]
    }

    /// Returns an array of up to `limit` elements; the shorter the simpler. Each element is drawn with its own decision
    /// to go on, so that shrinking may take out any of them.
    ///
    /// - Parameters:
    ///   - limit: The largest number of values.
    ///   - element: A closure that draws an element.
    public mutating func array<Element>(
        upTo limit: Int, _ element: (inout Choices) -> Element
    ) -> [Element] {
        // Lengths are spread evenly over the range on average.
        let expected = limit == 0 ? 0 : int(in: 0...limit)
        var elements: [Element] = []
        while elements.count < limit, chance(expected, of: expected + 1) {
            elements.append(element(&self))
        }
        return elements
    }
}
