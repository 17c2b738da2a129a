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

extension Timeline where Value == String {
    /// Reads a diagram.
    ///
    ///     -1-(23)-'forty'|
    ///
    /// Each character is a moment, a unit after the one before it: `-` nothing happens, `|` it finishes, `✕` or `^` it
    /// fails, `;` the subscriber cancels, any other is a value. What stands in `(` `)` or `[` `]` happens at one moment.
    /// A value of several characters stands in quotes. Spaces mean nothing.
    ///
    /// - Parameters:
    ///   - diagram: The diagram.
    ///   - unit: The span of time that a character stands for.
    ///   - start: The moment at which the diagram begins.
    /// - Throws: `MarbleSyntaxError`.
    public init(
        _ diagram: String, unit: VirtualTime.Stride = .milliseconds(1), startingAt start: VirtualTime = .zero
    ) throws {
        self.init()
        var time = start
        var group: Character?
        var quoted: String?
        func wrong(_ position: Int, _ reason: String) -> MarbleSyntaxError {
            MarbleSyntaxError(diagram: diagram, position: position, reason: reason)
        }
        for (position, character) in diagram.enumerated() {
            if let text = quoted {
                quoted = character == "'" ? nil : text + String(character)
                if quoted == nil {
                    append(.value(text), at: time)
                    if group == nil { time = time.advanced(by: unit) }
                }
                continue
            }
            if events.last?.signal.isEnd == true, character != "-", character != " ", character != group {
                throw wrong(position, "Nothing comes after the end.")
            }
            var signal: Signal?
            switch character {
            case " ": continue
            case "(", "[":
                guard group == nil else { throw wrong(position, "A moment stands inside a moment.") }
                group = character == "(" ? ")" : "]"
                continue
            case ")", "]":
                guard group == character else { throw wrong(position, "Nothing is open here.") }
                group = nil
            case "'":
                quoted = ""
                continue
            case "-": if group != nil { throw wrong(position, "Time does not pass within a moment.") }
            case "|": signal = .finished
            case "✕", "^": signal = .failure("\(TestFailure())")
            case ";": signal = .cancelled
            default: signal = .value(String(character))
            }
            if let signal { append(signal, at: time) }
            if group == nil { time = time.advanced(by: unit) }
        }
        if group != nil || quoted != nil { throw wrong(diagram.count, "Something is still open here.") }
    }

    /// Reads a diagram, and transforms the text of each value with a closure.
    ///
    /// - Parameters:
    ///   - diagram: The diagram.
    ///   - unit: The span of time that a character stands for.
    ///   - transform: Nil for a text that is no value.
    public static func parse<Other: Sendable>(
        _ diagram: String, unit: VirtualTime.Stride = .milliseconds(1), _ transform: (String) -> Other?
    ) throws -> Timeline<Other> {
        let texts = try Timeline(diagram, unit: unit)
        var timeline = Timeline<Other>()
        for event in texts.events {
            switch event.signal {
            case .value(let text):
                guard let value = transform(text) else {
                    throw MarbleSyntaxError(diagram: diagram, position: 0, reason: "\"\(text)\" is no value.")
                }
                timeline.append(.value(value), at: event.time)
            case .finished: timeline.append(.finished, at: event.time)
            case .failure(let label): timeline.append(.failure(label), at: event.time)
            case .cancelled: timeline.append(.cancelled, at: event.time)
            }
        }
        return timeline
    }
}
