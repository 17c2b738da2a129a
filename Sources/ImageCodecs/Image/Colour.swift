/// A colour in the samples of a picture, 8 bits each, with straight alpha.
public struct Colour: Sendable, Hashable {
    /// The sample for red, as it is stored: 0 for none of it, 255 for all.
    public var red: UInt8
    /// The sample for green, as it is stored: 0 for none of it, 255 for all.
    public var green: UInt8
    /// The sample for blue, as it is stored: 0 for none of it, 255 for all.
    public var blue: UInt8
    /// The opacity: 0 where the colour does not show, 255 where nothing shows through it.
    public var alpha: UInt8

    /// Creates a colour of samples; it is opaque by default.
    ///
    /// - Parameters:
    ///   - red: The sample for red.
    ///   - green: The sample for green.
    ///   - blue: The sample for blue.
    ///   - alpha: The opacity.
    public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    /// An opaque black.
    public static let black = Colour(red: 0, green: 0, blue: 0)
    /// An opaque white.
    public static let white = Colour(red: 255, green: 255, blue: 255)

    /// Whether a grey picture can show it.
    var isGrey: Bool { red == green && green == blue }

    /// A stable text, for keys of caches.
    var identifier: String { "\(red) \(green) \(blue) \(alpha)" }
}
