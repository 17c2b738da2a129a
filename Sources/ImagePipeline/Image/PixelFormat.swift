/// How the samples of a pixel lie in memory: 8 bits each, interleaved, alpha last and straight (not premultiplied).
public enum PixelFormat: Sendable, Hashable, CaseIterable {
    case grey8
    case greyAlpha8
    case rgb8
    case rgba8

    /// Samples per pixel, which is also bytes per pixel.
    public var channels: Int {
        switch self {
        case .grey8: 1
        case .greyAlpha8: 2
        case .rgb8: 3
        case .rgba8: 4
        }
    }

    /// Whether the last sample of a pixel is its alpha.
    public var hasAlpha: Bool { self == .greyAlpha8 || self == .rgba8 }

    /// Whether a pixel has one sample beside its alpha.
    public var isGrey: Bool { self == .grey8 || self == .greyAlpha8 }

    init?(channels: Int) {
        switch channels {
        case 1: self = .grey8
        case 2: self = .greyAlpha8
        case 3: self = .rgb8
        case 4: self = .rgba8
        default: return nil
        }
    }
}
