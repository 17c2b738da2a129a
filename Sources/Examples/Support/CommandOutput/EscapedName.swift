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
    static func bytes(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        guard text.contains(UInt8(ascii: "%")) else { return Array(text) }
        var name: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                name.append(byte)
                continue
            }
            guard let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16), rest.count >= 2 else {
                return nil
            }
            name.append(code)
            rest = rest.dropFirst(2)
        }
        return name
    }
}
