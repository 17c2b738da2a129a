#if canImport(Glibc)
    import Glibc
#endif

/// Prints the table, the ratio of each figure to the first of its case beside it, and writes it as JSON to the path
/// that is the program's argument, if there is one.
func report(_ figures: [Figure]) {
    var scenario = ""
    var floor = 0.0
    for figure in figures {
        if figure.scenario != scenario {
            scenario = figure.scenario
            floor = figure.nanoseconds
            print("\n\(scenario)")
        }
        print(
            "  \(padded(figure.subject, to: 26))\(number(figure.nanoseconds)) ns\(number(figure.allocations)) allocations"
                + "\(number(figure.nanoseconds / floor)) ×")
    }
    guard CommandLine.arguments.count > 1, let file = fopen(CommandLine.arguments[1], "w") else { return }
    let rows = figures.map {
        """
          {"case": "\($0.scenario)", "subject": "\($0.subject)", "ns": \(rounded($0.nanoseconds)), \
        "allocations": \(rounded($0.allocations))}
        """
    }
    fputs("[\n\(rows.joined(separator: ",\n"))\n]\n", file)
    fclose(file)
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
