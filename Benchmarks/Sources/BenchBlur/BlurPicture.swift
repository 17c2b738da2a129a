import Glibc
import ImageCodecs

/// A picture to blur: hard edges of black and white in all directions, and noise.
struct BlurPicture {
    /// By Pillow's names for them.
    static let formats: [String: PixelFormat] = ["L": .grey8, "RGB": .rgb8, "RGBA": .rgba8]

    let mode: String
    let width: Int
    let height: Int
    let bytes: [UInt8]

    /// Alpha is whole: Pillow does not weight colour by it.
    init(mode: String, width: Int, height: Int) {
        self.mode = mode
        self.width = width
        self.height = height
        let channels = Self.formats[mode]?.channels ?? 1
        var bytes: [UInt8] = []
        bytes.reserveCapacity(width * height * channels)
        var state: UInt32 = 1
        for y in 0..<height {
            for x in 0..<width {
                for channel in 0..<channels {
                    state = state &* 1_664_525 &+ 1_013_904_223
                    let isWhite = (x / (17 + 40 * channel) + y / 29 + (x + y) / 97) % 2 == 0
                    let isNoisy = (x / 100 + y / 100) % 3 == 0
                    bytes.append(channel == 3 ? 255 : isNoisy ? UInt8(state >> 24) : isWhite ? 255 : 0)
                }
            }
        }
        self.bytes = bytes
    }

    /// The worst error of these samples against the blurred picture in doubles, in steps of a sample.
    func worstError(of samples: [UInt8], sigma: Double) -> Double {
        let channels = Self.formats[mode]?.channels ?? 1
        let row = width * channels
        guard samples.count == row * height else { return .infinity }
        let down = Self.windows(height, sigma: sigma)
        let across = Self.windows(width, sigma: sigma)
        var between = [Double](repeating: 0, count: row * height)
        for y in 0..<height {
            for from in 0..<height where down[y * height + from] > 0 {
                let weight = down[y * height + from]
                for index in 0..<row { between[y * row + index] += weight * Double(bytes[from * row + index]) }
            }
        }
        var worst = 0.0
        for y in 0..<height {
            for x in 0..<width {
                for channel in 0..<channels {
                    var sum = 0.0
                    for from in 0..<width {
                        sum += across[x * width + from] * between[y * row + from * channels + channel]
                    }
                    worst = max(worst, abs(sum - Double(samples[y * row + x * channels + channel])))
                }
            }
        }
        return worst
    }

    /// Each sample's weights of all samples along an axis; those at the ends stand for what lies beyond.
    private static func windows(_ count: Int, sigma: Double) -> [Double] {
        let reach = Int(8 * sigma) + 1
        let weights = (-reach...reach).map { exp(-Double($0 * $0) / (2 * sigma * sigma)) }
        let sum = weights.reduce(0, +)
        var windows = [Double](repeating: 0, count: count * count)
        for index in 0..<count {
            for (offset, weight) in weights.enumerated() {
                windows[index * count + max(0, min(count - 1, index + offset - reach))] += weight / sum
            }
        }
        return windows
    }
}
