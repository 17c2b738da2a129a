import ImageCodecs

/// A picture as a place: what lies where at one size. Rows come in any order and any number of times, so that a picture
/// larger than the memory can be made, too.
struct Landscape: Sendable {
    private static let layers = 4

    let size: PixelSize
    private let palette: Palette
    private let clouds: NoiseTile
    private let ground: NoiseTile
    /// For each layer of hills, from the far one to the near one, the row at which it begins in each column.
    private let ridges: [[Int]]
    private let sun: (x: Int, y: Int, radius: Int)
    /// Steps through the tiles, in 256ths of a value per pixel, so that a picture looks alike at any size.
    private let scale: Int

    init(seed: UInt64, size: PixelSize) {
        var generator = SeededGenerator(seed: seed)
        self.size = size
        palette = Palette.all[Int(seed % UInt64(Palette.all.count))]
        clouds = NoiseTile(persistence: 0.5, using: &generator)
        ground = NoiseTile(persistence: 0.8, using: &generator)
        let shorter = max(1, min(size.width, size.height))
        scale = max(1, 640 * 256 / max(size.width, size.height))
        sun = (
            Int.random(in: size.width / 5...max(size.width / 5, size.width * 4 / 5), using: &generator),
            Int(Double(size.height) * Double.random(in: 0.14...0.3, using: &generator)), max(1, shorter / 18)
        )
        ridges = (0..<Self.layers).map { layer in
            let height = 0.42 + 0.15 * Double(layer)
            return Self.ridge(size, height: height, roughness: layer == Self.layers - 1 ? 0.25 : 0.5, using: &generator)
        }
    }

    private static func ridge(
        _ size: PixelSize, height: Double, roughness: Double, using generator: inout SeededGenerator
    ) -> [Int] {
        var line = [Double](repeating: height, count: size.width)
        var amplitude = 0.09
        var waves = 3
        for _ in 0..<7 {
            let knots = (0...(waves + 1)).map { _ in Double.random(in: -1...1, using: &generator) }
            for x in 0..<size.width {
                let place = Double(x) * Double(waves) / Double(size.width)
                let knot = Int(place)
                line[x] +=
                    (knots[knot] + (knots[knot + 1] - knots[knot]) * NoiseTile.ease(place - Double(knot))) * amplitude
            }
            amplitude *= roughness
            waves *= 2
        }
        return line.map { Int($0 * Double(size.height)) }
    }

    /// Writes the pixels of a row as red, green, blue.
    ///
    /// - Parameter row: room for `3 * size.width` bytes.
    func fill(_ row: UnsafeMutableBufferPointer<UInt8>, y: Int) {
        let share = min(256, y * 512 / max(1, size.height))
        let sky = palette.zenith.mixed(with: palette.horizon, share)
        let glowEdge = sun.radius * 7
        let dy = y - sun.y
        clouds.values.withUnsafeBufferPointer { clouds in
            ground.values.withUnsafeBufferPointer { ground in
                var x = 0
                while x < size.width {
                    let layer = layer(x, y)
                    var colour: Colour
                    if layer < 0 {
                        colour = cloudy(sky, x, y, share, clouds)
                        let dx = x - sun.x
                        if dx < glowEdge, dx > -glowEdge, dy < glowEdge, dy > -glowEdge {
                            colour = lit(colour, distance2: dx * dx + dy * dy)
                        }
                    } else {
                        colour = earth(layer, x, y, ground)
                    }
                    row[3 * x] = UInt8(max(0, min(255, colour.red)))
                    row[3 * x + 1] = UInt8(max(0, min(255, colour.green)))
                    row[3 * x + 2] = UInt8(max(0, min(255, colour.blue)))
                    x += 1
                }
            }
        }
    }

    /// The nearest layer that covers the place; -1 for the sky.
    private func layer(_ x: Int, _ y: Int) -> Int {
        var layer = Self.layers - 1
        while layer >= 0, ridges[layer][x] > y { layer -= 1 }
        return layer
    }

    /// The index in a tile, which goes on without end in both directions.
    private static func place(_ x: Int, _ y: Int) -> Int {
        (y & (NoiseTile.side - 1)) * NoiseTile.side + (x & (NoiseTile.side - 1))
    }

    private func cloudy(
        _ sky: Colour, _ x: Int, _ y: Int, _ share: Int, _ clouds: UnsafeBufferPointer<Int>
    ) -> Colour {
        // Clouds are wider than high, more so towards the horizon.
        let value = clouds[Self.place(x * scale * 3 / 1024, y * scale * 2 / 256)]
        return value > 0 ? sky.mixed(with: palette.cloud, min(220, value * 5 * (288 - share) / 256)) : sky
    }

    private func lit(_ colour: Colour, distance2: Int) -> Colour {
        let edge = 49 * sun.radius * sun.radius
        guard distance2 < edge else { return colour }
        let inner = sun.radius * sun.radius
        if distance2 <= inner { return palette.sun }
        let left = 256 * (edge - distance2) / edge
        return colour.mixed(with: palette.sun, left * left / 256 * left / 256)
    }

    private func earth(_ layer: Int, _ x: Int, _ y: Int, _ ground: UnsafeBufferPointer<Int>) -> Colour {
        let depth = y - ridges[layer][x]
        let fine = ground[Self.place(x * scale / 256, y * scale / 256)]
        // A hill is brighter at its ridge; the nearer it is, the more its texture shows.
        let shade = fine * (layer + 1) / 8
        let fade = min(56, depth * 160 / max(1, size.height))
        if layer == Self.layers - 1 {
            let broad = ground[Self.place(x * scale / 512, y * scale / 128)]
            let base = palette.meadow.mixed(with: palette.nearHill, max(0, min(256, 90 + broad)))
            return Colour(base.red + shade - fade / 2, base.green + shade - fade / 2, base.blue + shade / 2 - fade / 2)
        }
        let base = palette.farHill.mixed(with: palette.nearHill, layer * 104)
        return Colour(base.red + shade - fade, base.green + shade - fade, base.blue + shade / 2 - fade)
    }
}
