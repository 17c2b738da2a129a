import Glibc

/// The table on standard output, and the same figures as JSON.
struct Report {
    private var rows: [String] = []

    /// Prints the figures of a case, each with its ratio to the first, which is the floor where there is one.
    mutating func add(_ name: String, _ figures: [Figure]) {
        print("\n\(name)")
        let floor = figures.first?.nanoseconds ?? 0
        for figure in figures {
            print(
                "  \(padded(figure.subject, to: 32))\(number(figure.nanoseconds)) ns"
                    + "\(number(figure.allocations)) allocations\(number(figure.nanoseconds / floor)) ×")
            rows.append(
                """
                  {"case": "\(name)", "subject": "\(figure.subject)", "ns": \(rounded(figure.nanoseconds)), \
                "allocations": \(rounded(figure.allocations))}
                """)
        }
    }

    /// Writes the figures to a new file, or in place of an earlier report; never of anything else.
    ///
    /// - Returns: Whether the file could be written.
    func write(to path: String) -> Bool {
        // With x, only what is not there is made.
        guard let file = fopen(path, Self.isReport(path) ? "w" : "wx") else { return false }
        fputs("[\n\(rows.joined(separator: ",\n"))\n]\n", file)
        return fclose(file) == 0
    }

    private static func isReport(_ path: String) -> Bool {
        guard let file = fopen(path, "r") else { return false }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 16)
        guard fgets(&line, 16, file) != nil else { return feof(file) != 0 }
        guard fgets(&line, 16, file) != nil else { return false }
        return line.starts(with: "  {\"case\": \"".utf8CString.dropLast())
    }
}

private func rounded(_ value: Double) -> Double {
    (value * 1000).rounded() / 1000
}

private func number(_ value: Double) -> String {
    let text = "\((value * 100).rounded() / 100)"
    return String(repeating: " ", count: max(1, 11 - text.count)) + text
}

private func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
}
