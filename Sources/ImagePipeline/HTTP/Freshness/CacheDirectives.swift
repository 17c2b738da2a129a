/// The directives of the `Cache-Control` fields of a request or a response (RFC 9111, 5.2).
struct CacheDirectives {
    /// By their names in lower case; the empty text for one without an argument.
    private var arguments: [String: [String]] = [:]

    /// Reads the directives of all fields, as if they were one. What makes no sense is passed over.
    init(_ headers: [HTTPField]) {
        for value in headers.values("cache-control") {
            for directive in Self.split(value) {
                let parts = directive.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                    .map { HTTPField.trimmed($0) }
                guard let name = parts.first?.lowercased(), !name.isEmpty else { continue }
                arguments[name, default: []].append(parts.count > 1 ? parts[1].unquoted : "")
            }
        }
    }

    /// A Boolean value that indicates whether nothing is said.
    var isEmpty: Bool { arguments.isEmpty }

    func has(_ name: String) -> Bool { arguments[name] != nil }

    /// The seconds that a directive names; nil if it is there without an argument, which is as much as it can be.
    func argument(_ name: String) -> Int? {
        arguments[name]?.contains("") == true ? nil : seconds(name)
    }

    /// The seconds that a directive names; nil without it. One that is said twice with two meanings, or not in seconds, is 0: nothing
    /// stays fresh by mistake.
    func seconds(_ name: String) -> Int? {
        guard let values = arguments[name] else { return nil }
        let numbers = Set(values.map(Self.seconds))
        return numbers.count == 1 ? numbers.first ?? 0 : 0
    }

    /// The seconds of a delta (RFC 9111, 1.2.2); what is too large for one counts as the largest, and anything else as 0.
    static func seconds(_ text: String) -> Int {
        guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return 0 }
        return min(Int(text) ?? .max, 1 << 31)
    }

    /// The parts between commas that no quotation marks enclose (RFC 9110, 5.6.4). A mark within a word encloses nothing, and where one has
    /// no other one none counts: it must not hide what follows.
    ///
    /// By scalars: a mark that combines with a comma hides it.
    private static func split(_ text: String) -> [String] {
        var parts = [String.UnicodeScalarView()]
        var (isQuoted, isEscaped, isWithinWord) = (false, false, false)
        for scalar in text.unicodeScalars {
            if scalar == "\"", !isEscaped, isQuoted || !isWithinWord { isQuoted.toggle() }
            if !isQuoted, scalar != " ", scalar != "\t" { isWithinWord = scalar != "," && scalar != "=" }
            isEscaped = isQuoted && !isEscaped && scalar == "\\"
            if scalar == ",", !isQuoted { parts.append(.init()) } else { parts[parts.count - 1].append(scalar) }
        }
        if isQuoted { parts = text.unicodeScalars.split(separator: ",").map(String.UnicodeScalarView.init) }
        return parts.map { HTTPField.trimmed(String($0)[...]) }
    }
}

extension StringProtocol {
    /// Without the quotation marks around it.
    fileprivate var unquoted: String {
        count >= 2 && hasPrefix("\"") && hasSuffix("\"") ? String(dropFirst().dropLast()) : String(self)
    }
}
