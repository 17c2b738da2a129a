/// As much of JSON as the page is told.
enum JSON {
    static func text(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\0"..<" ": result += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    static func list(_ items: some Sequence<String>) -> String { "[\(items.joined(separator: ","))]" }

    static func object(_ items: KeyValuePairs<String, String>) -> String {
        "{\(items.map { "\(text($0.key)):\($0.value)" }.joined(separator: ","))}"
    }

    static func milliseconds(_ duration: Duration?) -> String {
        guard let (seconds, attoseconds) = duration?.components else { return "null" }
        return "\(Double(seconds) * 1e3 + Double(attoseconds / 1_000_000_000_000) / 1e3)"
    }
}
