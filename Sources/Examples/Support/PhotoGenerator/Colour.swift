/// Red, green and blue, 0 to 255 each where nothing has been added yet.
struct Colour: Sendable {
    var red: Int
    var green: Int
    var blue: Int

    init(_ red: Int, _ green: Int, _ blue: Int) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// The colour `share` of 256 parts of the way to another.
    func mixed(with other: Colour, _ share: Int) -> Colour {
        Colour(
            red + (other.red - red) * share / 256, green + (other.green - green) * share / 256,
            blue + (other.blue - blue) * share / 256)
    }
}
