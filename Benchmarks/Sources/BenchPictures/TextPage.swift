import ImageCodecs

/// A page of text as on a screen: letters of five by seven pixels, some twice as large, dark on light and light on dark.
enum TextPage {
    /// Rows of five pixels from top to bottom, two hexadecimal digits each, of the letters a to z.
    private static let letters = [
        "00000E010F110F", "1010161911111E", "00000E1010110E", "01010D1311110F", "00000E111F100E", "0609081C080808",
        "000F11110F010E", "10101619111111", "04000C0404040E", "0200060202120C", "10101214181412", "0C04040404040E",
        "00001A15151111", "00001619111111", "00000E1111110E", "00001E111E1010", "00000D130F0101", "00001619101010",
        "00000E100E011E", "08081C08080906", "0000111111130D", "00001111110A04", "0000111115150A", "0000110A040A11",
        "000011110F010E", "00001F0204081F",
    ].map { rows in
        let digits = rows.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count - 1, by: 2).map { 16 * digits[$0] + digits[$0 + 1] }
    }

    private static let words = """
        the quick brown fox jumps over a lazy dog while five boxing wizards pack my box with dozens of liquor jugs and \
        sphinx of black quartz judge our vow until nymphs vex waltz and glib jocks quiz them
        """.split(separator: " ").map { $0.compactMap(\.asciiValue).map { Int($0) - 97 } }

    private struct Canvas {
        let size: PixelSize
        var bytes: [UInt8]

        mutating func fill(_ x: Int, _ y: Int, _ width: Int, _ height: Int, _ colour: [UInt8]) {
            let right = min(size.width, x + width)
            for row in y..<max(y, min(size.height, y + height)) {
                for column in x..<max(x, right) {
                    let at = 3 * (row * size.width + column)
                    for channel in 0..<3 { bytes[at + channel] = colour[channel] }
                }
            }
        }

        mutating func write(_ letter: Int, _ x: Int, _ y: Int, _ scale: Int, _ colour: [UInt8]) {
            for (row, bits) in letters[letter].enumerated() {
                for column in 0..<5 where bits >> (4 - column) & 1 == 1 {
                    fill(x + column * scale, y + row * scale, scale, scale, colour)
                }
            }
        }
    }

    static func image(_ size: PixelSize) -> Image {
        var canvas = Canvas(size: size, bytes: [UInt8](repeating: 255, count: 3 * size.width * size.height))
        let inks: [[UInt8]] = [[0, 0, 0], [40, 40, 40], [180, 20, 20], [20, 60, 200], [0, 110, 50]]
        var word = 0
        // Panels of 400 pixels by 300, every third of them dark, in frames of one pixel.
        for (index, top) in stride(from: 0, to: size.height, by: 300).enumerated() {
            for (column, left) in stride(from: 0, to: size.width, by: 400).enumerated() {
                let isDark = (index + column) % 3 == 2
                canvas.fill(left + 6, top + 6, 388, 288, [120, 120, 120])
                canvas.fill(left + 7, top + 7, 386, 286, isDark ? [30, 30, 36] : [255, 255, 255])
                var y = top + 14
                while y < top + 280 {
                    let scale = (y - top) == 14 ? 2 : 1
                    let ink = isDark ? [220, 220, 220] : inks[(word / 5 + index) % inks.count]
                    var x = left + 14
                    while true {
                        let letters = words[word % words.count]
                        guard x + letters.count * 6 * scale < left + 386 else { break }
                        for letter in letters {
                            canvas.write(letter, x, y, scale, ink)
                            x += 6 * scale
                        }
                        x += 6 * scale
                        word += 1
                    }
                    y += scale == 2 ? 24 : 11
                }
            }
        }
        return Pictures.image(size, canvas.bytes)
    }
}
