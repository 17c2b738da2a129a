/// A colour in the samples of a picture, 8 bits each, with straight alpha.
public struct Colour: Sendable, Hashable {
    public var red: UInt8
    public var green: UInt8
    public var blue: UInt8
    public var alpha: UInt8

    public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    public static let black = Colour(red: 0, green: 0, blue: 0)
    public static let white = Colour(red: 255, green: 255, blue: 255)

    /// Whether a grey picture can show it.
    var isGrey: Bool { red == green && green == blue }

    /// A stable text, for keys of caches.
    var identifier: String { "\(red) \(green) \(blue) \(alpha)" }
}
