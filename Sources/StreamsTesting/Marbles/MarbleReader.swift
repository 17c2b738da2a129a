import Streams

/// Reads a diagram, character by character.
struct MarbleReader {
    /// The signals that were read, each with the position of its first character.
    private(set) var events: [(position: Int, time: VirtualTime, signal: Timeline<String>.Signal)] = []

    private let diagram: String
    private let characters: [Character]
    private let unit: VirtualTime.Stride
    private var position = 0
    private var time: VirtualTime
    /// The bracket that closes the moment that is open.
    private var closing: Character?

    init(_ diagram: String, unit: VirtualTime.Stride, startingAt start: VirtualTime) throws(MarbleSyntaxError) {
        self.diagram = diagram
        characters = Array(diagram)
        self.unit = unit
        time = start
        while position < characters.count { try readNext() }
        if closing != nil { throw wrong(characters.count, "A moment is still open here.") }
    }

    func wrong(_ position: Int, _ reason: String) -> MarbleSyntaxError {
        MarbleSyntaxError(diagram: diagram, position: position, reason: reason)
    }

    private mutating func readNext() throws(MarbleSyntaxError) {
        let start = position
        let character = characters[position]
        if try readPause() { return }
        position += 1
        switch character {
        case " ": return
        case "-":
            guard closing == nil else { throw wrong(start, "Time does not pass within a moment.") }
        case "(", "[":
            guard closing == nil else { throw wrong(start, "A moment stands inside a moment.") }
            closing = character == "(" ? ")" : "]"
            return
        case ")", "]":
            guard closing == character else { throw wrong(start, "Nothing is open here.") }
            closing = nil
        case "|": try add(.finished, start)
        case "✕", "^": try add(.failure(try readQuoted() ?? "\(TestFailure())"), start)
        case ";": try add(.cancelled, start)
        case "'":
            position = start
            try add(.value(try readQuoted() ?? ""), start)
        default: try add(.value(String(character)), start)
        }
        if closing == nil { time = time.advanced(by: unit) }
    }

    private mutating func add(_ signal: Timeline<String>.Signal, _ start: Int) throws(MarbleSyntaxError) {
        if events.last?.signal.isEnd == true { throw wrong(start, "Nothing comes after the end.") }
        events.append((start, time, signal))
    }

    /// Reads a span of time, such as ` 300ms `, with a space or the diagram's end on either side.
    private mutating func readPause() throws(MarbleSyntaxError) -> Bool {
        guard closing == nil, position == 0 || characters[position - 1] == " " else { return false }
        let word = characters[position...].prefix { $0 != " " }
        let digits = word.prefix { $0.isASCII && $0.isNumber }
        guard let size = Self.units[String(word.dropFirst(digits.count))], let count = Int(String(digits)) else {
            return false
        }
        let (nanoseconds, isTooLong) = count.multipliedReportingOverflow(by: size)
        if isTooLong { throw wrong(position, "Virtual time does not last that long.") }
        time = time.advanced(by: .nanoseconds(nanoseconds))
        position = word.endIndex
        return true
    }

    private static let units = [
        "ns": 1, "us": 1_000, "ms": 1_000_000, "s": 1_000_000_000, "m": 60_000_000_000,
    ]

    /// Reads a text in quotes, in which `\` stands before a quote and before itself; nil where no quote begins.
    private mutating func readQuoted() throws(MarbleSyntaxError) -> String? {
        guard position < characters.count, characters[position] == "'" else { return nil }
        let start = position
        var text = ""
        position += 1
        while position < characters.count {
            var character = characters[position]
            position += 1
            if character == "'" { return text }
            if character == "\\", position < characters.count {
                character = characters[position]
                position += 1
            }
            text.append(character)
        }
        throw wrong(start, "The quote that begins here has no end.")
    }

    /// A value as it is written in a diagram: in quotes unless it is one character without a meaning of its own.
    static func quoted(_ text: String) -> String {
        text.count == 1 && !" -|✕^;()[]'".contains(text) ? text : inQuotes(text)
    }

    static func inQuotes(_ text: String) -> String {
        "'\(text.map { $0 == "'" || $0 == "\\" ? "\\\($0)" : String($0) }.joined())'"
    }
}
