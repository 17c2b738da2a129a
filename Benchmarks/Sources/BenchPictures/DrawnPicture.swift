import Glibc
import ImageCodecs

/// Pictures that reductions find hard, drawn the same on every machine.
public enum DrawnPicture: String, CaseIterable, Sendable {
    /// Lines of text in several colours, one pixel thick and two, between frames.
    case text
    /// A continuous tone printed as dots, at 45° and every six pixels.
    case halftone
    /// Parallel lines one pixel thick, of several distances and directions.
    case hatching
    /// Rings that become finer from the middle to the corners, where they are as fine as pixels can show.
    case zonePlate = "zone plate"
    /// Squares of saturated red and blue, twelve pixels wide.
    case checker

    /// The picture at a size.
    public func image(_ size: PixelSize) -> Image {
        if self == .text { return TextPage.image(size) }
        var bytes = [UInt8](repeating: 0, count: 3 * size.width * size.height)
        for y in 0..<size.height {
            for x in 0..<size.width {
                let colour = colour(x, y, size)
                let at = 3 * (y * size.width + x)
                (bytes[at], bytes[at + 1], bytes[at + 2]) = (colour.red, colour.green, colour.blue)
            }
        }
        return Pictures.image(size, bytes)
    }

    private typealias Colour = (red: UInt8, green: UInt8, blue: UInt8)

    private func colour(_ x: Int, _ y: Int, _ size: PixelSize) -> Colour {
        switch self {
        case .text, .hatching: return Self.hatching(x, y, size)
        case .halftone: return Self.halftone(x, y, size)
        case .zonePlate: return Self.zonePlate(x, y, size)
        case .checker: return (x / 12 + y / 12) % 2 == 0 ? (255, 0, 0) : (0, 0, 255)
        }
    }

    private static func grey(_ value: Double) -> Colour {
        let sample = UInt8(clamping: Int(value.rounded()))
        return (sample, sample, sample)
    }

    /// Four by three fields, each hatched in its own way.
    private static func hatching(_ x: Int, _ y: Int, _ size: PixelSize) -> Colour {
        let field = y * 3 / size.height * 4 + x * 4 / size.width
        let distance = 2 + field % 4
        let line =
            switch field % 3 {
            case 0: x % distance
            case 1: y % distance
            default: (x + y) % (distance + 1)
            }
        return line == 0 ? (20, 20, 20) : (255, 255, 255)
    }

    private static func halftone(_ x: Int, _ y: Int, _ size: PixelSize) -> Colour {
        let (across, down) = (Double(x) / Double(size.width), Double(y) / Double(size.height))
        let tone = 0.5 + 0.25 * sin(9 * across + 4 * down) + 0.2 * cos(13 * down - 5 * across * across)
        let angle = 2 * Double.pi / 6 * 0.5.squareRoot()
        let screen = 0.5 + 0.25 * (cos(angle * Double(x + y)) + cos(angle * Double(x - y)))
        // A dot's edge is a pixel wide.
        return grey(255 * min(1, max(0, 0.5 + 3 * (tone - screen))))
    }

    private static func zonePlate(_ x: Int, _ y: Int, _ size: PixelSize) -> Colour {
        let (across, down) = (Double(x) - Double(size.width) / 2, Double(y) - Double(size.height) / 2)
        let reach = Double(max(size.width, size.height)) / 2
        return grey(127.5 + 127.5 * cos(Double.pi / 2 * (across * across + down * down) / reach))
    }
}
