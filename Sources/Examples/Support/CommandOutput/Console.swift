import CLibrary
import Files

/// Standard output and standard error, unbuffered, so that lines of several threads come out whole and in order.
public enum Console {
    public static func line(_ text: String) { write(text + "\n") }

    public static func write(_ text: String) { write(text, to: STDOUT_FILENO) }

    /// A line on standard error, behind the program's name.
    public static func error(_ text: String) { write("\(program): \(visible(text))\n", to: STDERR_FILENO) }

    /// A text whose control characters, which a file's name may have, are written as Swift does: `\u{1B}`.
    public static func visible(_ text: String) -> String {
        var visible = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            visible +=
                (scalar.properties.generalCategory == .control ? scalar.escaped(asASCII: true) : "\(scalar)")
                .unicodeScalars
        }
        return String(visible)
    }

    /// Whether standard output is a terminal whose cursor can be moved.
    public static var isTerminal: Bool {
        isatty(STDOUT_FILENO) == 1 && getenv("TERM").map { String(cString: $0) != "dumb" } == true
    }

    /// Columns of the terminal; 80 where there is none.
    public static var width: Int {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    private static let program = CommandLine.arguments.first.flatMap { $0.split(separator: "/").last } ?? "error"

    private static func write(_ text: String, to descriptor: Int32) {
        let bytes = Array(text.utf8)
        bytes.withUnsafeBytes { _ = CLibrary.write(descriptor, $0.baseAddress, $0.count) }
    }
}
