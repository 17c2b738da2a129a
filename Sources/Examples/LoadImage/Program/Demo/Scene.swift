/// One thing the demonstration shows: what was done, where the picture came from, what was counted, and which
/// expectations did not hold.
struct Scene: Sendable {
    let number: Int
    let title: String
    /// The stage the picture came from.
    var stage = ""
    /// Numbers: stages seen, bytes, requests.
    var facts: [String] = []
    private(set) var broken: [String] = []

    init(_ number: Int, _ title: String) {
        self.number = number
        self.title = title
    }

    mutating func expect(_ holds: Bool, _ what: String) {
        if !holds { broken.append(what) }
    }

    /// The scene in one line, and a line for each expectation that did not hold.
    var lines: [String] {
        func padded(_ text: String, _ width: Int) -> String {
            text + String(repeating: " ", count: max(0, width - text.count))
        }
        let line = "\(number)  \(padded(title, 32))  \(padded(stage, 9))  \(facts.joined(separator: " · "))"
        return [line] + broken.map { "   NOT AS EXPECTED: \($0)" }
    }
}
