/// The layout of a pixel's samples in memory: interleaved, alpha last and straight (not premultiplied), 8 bits each, or
/// 16 in the machine's byte order.
public enum PixelFormat: Sendable, Hashable, CaseIterable {
    /// One grey sample of 8 bits.
    case grey8
    /// A grey sample and alpha, 8 bits each.
    case greyAlpha8
    /// Red, green and blue, 8 bits each.
    case rgb8
    /// Red, green, blue and alpha, 8 bits each.
    case rgba8
    /// One grey sample of 16 bits.
    case grey16
    /// A grey sample and alpha, 16 bits each.
    case greyAlpha16
    /// Red, green and blue, 16 bits each.
    case rgb16
    /// Red, green, blue and alpha, 16 bits each.
    case rgba16

    /// The number of samples per pixel.
    public var channels: Int {
        switch self {
        case .grey8, .grey16: 1
        case .greyAlpha8, .greyAlpha16: 2
        case .rgb8, .rgb16: 3
        case .rgba8, .rgba16: 4
        }
    }

    /// The number of bits per sample: 8 or 16.
    public var bitsPerSample: Int { isDeep ? 16 : 8 }

    /// The number of bytes per pixel.
    public var bytesPerPixel: Int { isDeep ? 2 * channels : channels }

    /// A Boolean value that indicates whether the last sample of a pixel is its alpha.
    public var hasAlpha: Bool { channels % 2 == 0 }

    /// A Boolean value that indicates whether a pixel has one sample beside its alpha.
    public var isGrey: Bool { channels <= 2 }

    /// Creates the format that has the given parts.
    ///
    /// - Parameters:
    ///   - isGrey: A Boolean value that determines whether a pixel has one sample beside its alpha.
    ///   - hasAlpha: A Boolean value that determines whether pixels have alpha.
    ///   - isDeep: A Boolean value that determines whether samples have 16 bits.
    public init(isGrey: Bool, hasAlpha: Bool, isDeep: Bool) {
        self =
            switch (isGrey, hasAlpha) {
            case (true, false): isDeep ? .grey16 : .grey8
            case (true, true): isDeep ? .greyAlpha16 : .greyAlpha8
            case (false, false): isDeep ? .rgb16 : .rgb8
            case (false, true): isDeep ? .rgba16 : .rgba8
            }
    }

    /// A Boolean value that indicates whether samples have 16 bits.
    public var isDeep: Bool {
        switch self {
        case .grey8, .greyAlpha8, .rgb8, .rgba8: false
        case .grey16, .greyAlpha16, .rgb16, .rgba16: true
        }
    }

    /// Returns the format with alpha, or without it.
    ///
    /// - Parameter hasAlpha: A Boolean value that determines whether pixels have alpha.
    public func withAlpha(_ hasAlpha: Bool) -> PixelFormat {
        PixelFormat(isGrey: isGrey, hasAlpha: hasAlpha, isDeep: isDeep)
    }

    /// Returns the format with samples of 16 bits, or of 8.
    ///
    /// - Parameter isDeep: A Boolean value that determines whether samples have 16 bits.
    public func deep(_ isDeep: Bool) -> PixelFormat {
        PixelFormat(isGrey: isGrey, hasAlpha: hasAlpha, isDeep: isDeep)
    }
}
