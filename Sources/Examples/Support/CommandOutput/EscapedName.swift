/// A name of any bytes as text on one line and in one word: what is not a visible sign of ASCII as `%` and two digits.
enum EscapedName {
    static func text(_ name: [UInt8]) -> String {
        var text: [UInt8] = []
        for byte in name {
            if byte > 0x20, byte < 0x7F, byte != UInt8(ascii: "%") {
                text.append(byte)
            } else {
                text += "%\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The name that a text stands for; `nil` if there is none.
    static func bytes(_ text: Substring) -> [UInt8]? {
        var name: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                name.append(byte)
                continue
            }
            guard rest.count >= 2, let code = UInt8(Substring(rest.prefix(2)), radix: 16) else { return nil }
            name.append(code)
            rest = rest.dropFirst(2)
        }
        return name
    }
}
