import Streams

/// An error in a diagram that cannot be read.
public struct MarbleSyntaxError: Error, CustomStringConvertible, Equatable {
    /// The diagram.
    public let diagram: String
    /// The position of the wrong character, counted from 0.
    public let position: Int
    /// A description of the error.
    public let reason: String

    public var description: String {
        "\(diagram)\n\(String(repeating: " ", count: position))^ \(reason)"
    }
}

extension Timeline where Value: LosslessStringConvertible {
    /// Reads a diagram.
    ///
    ///     -1-(23)-'forty' 300ms 5|
    ///
    /// Each character is a moment, a unit after the one before it: `-` nothing happens, `|` it finishes, `✕` or `^` it
    /// fails, `;` the subscriber cancels, any other is a value. What stands in `(` `)` or `[` `]` happens at one moment.
    /// A value of several characters stands in quotes, and so may a failure's label behind its `✕`; `\` makes a quote part
    /// of a text. A number with a unit (`ns`, `us`, `ms`, `s`, `m`) and a space on either side is that much time. Other
    /// spaces mean nothing.
    ///
    /// - Parameters:
    ///   - diagram: The diagram.
    ///   - unit: The span of time that a character stands for.
    ///   - start: The moment at which the diagram begins.
    /// - Throws: `MarbleSyntaxError`.
    public init(
        _ diagram: String, unit: VirtualTime.Stride = .milliseconds(1), startingAt start: VirtualTime = .zero
    ) throws(MarbleSyntaxError) {
        self = try Timeline.parse(diagram, unit: unit, startingAt: start) { Value($0) }
    }
}

extension Timeline {
    /// Reads a diagram, and transforms the text of each value with a closure.
    ///
    /// - Parameters:
    ///   - diagram: The diagram.
    ///   - unit: The span of time that a character stands for.
    ///   - start: The moment at which the diagram begins.
    ///   - transform: A closure that makes a value of its text; nil for a text that is no value.
    /// - Throws: `MarbleSyntaxError`.
    public static func parse(
        _ diagram: String, unit: VirtualTime.Stride = .milliseconds(1), startingAt start: VirtualTime = .zero,
        _ transform: (String) -> Value?
    ) throws(MarbleSyntaxError) -> Timeline {
        let reader = try MarbleReader(diagram, unit: unit, startingAt: start)
        var timeline = Timeline()
        for (position, time, signal) in reader.events {
            switch signal {
            case .value(let text):
                guard let value = transform(text) else {
                    throw reader.wrong(position, "\"\(text)\" is no value of type \(Value.self).")
                }
                timeline.append(.value(value), at: time)
            case .finished: timeline.append(.finished, at: time)
            case .failure(let label): timeline.append(.failure(label), at: time)
            case .cancelled: timeline.append(.cancelled, at: time)
            }
        }
        return timeline
    }
}

/// A diagram as a literal: `TestPublisher<Int>(.hot, "1-2-3|", on: scheduler)`.
extension Timeline: ExpressibleByUnicodeScalarLiteral, ExpressibleByExtendedGraphemeClusterLiteral,
    ExpressibleByStringLiteral
where Value: LosslessStringConvertible {
    /// Reads a diagram in which each character is a millisecond.
    ///
    /// - Precondition: It can be read. A diagram that comes from elsewhere is read by ``init(_:unit:startingAt:)``, which
    ///   throws.
    ///
    /// - Parameter diagram: The diagram.
    public init(stringLiteral diagram: String) {
        do {
            self = try Timeline.parse(diagram) { Value($0) }
        } catch {
            preconditionFailure("The diagram cannot be read:\n\(error)")
        }
    }
}
