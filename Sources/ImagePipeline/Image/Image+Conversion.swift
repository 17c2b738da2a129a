extension Image {
    /// The same picture in another format.
    ///
    /// Colour becomes grey by ITU-R BT.601's luma weights, as libjpeg and libpng do. Dropping alpha lays the picture on `background`.
    /// A profile that no longer describes the samples (grey to colour or back) is left out.
    public func converted(
        to target: PixelFormat, background: (red: UInt8, green: UInt8, blue: UInt8) = (255, 255, 255)
    ) -> Image {
        guard target != format else { return self }
        var out = [UInt8]()
        out.reserveCapacity(width * height * target.channels)
        let flattens = format.hasAlpha && !target.hasAlpha
        for y in 0..<height {
            var at = y * bytesPerRow
            for _ in 0..<width {
                var red = bytes[at]
                var green = format.isGrey ? red : bytes[at + 1]
                var blue = format.isGrey ? red : bytes[at + 2]
                let alpha = format.hasAlpha ? bytes[at + format.channels - 1] : 255
                at += format.channels
                if flattens {
                    red = Self.blend(red, over: background.red, alpha: alpha)
                    green = Self.blend(green, over: background.green, alpha: alpha)
                    blue = Self.blend(blue, over: background.blue, alpha: alpha)
                }
                if target.isGrey {
                    out.append(red == green && green == blue ? red : Self.luma(red, green, blue))
                } else {
                    out.append(red)
                    out.append(green)
                    out.append(blue)
                }
                if target.hasAlpha { out.append(alpha) }
            }
        }
        return Image(
            unpadded: out, size: size, format: target,
            iccProfile: target.isGrey == format.isGrey ? iccProfile : nil, metadata: metadata)
    }

    private static func blend(_ sample: UInt8, over background: UInt8, alpha: UInt8) -> UInt8 {
        let sum = Int(sample) * Int(alpha) + Int(background) * (255 - Int(alpha))
        return UInt8(truncatingIfNeeded: (sum + 127) / 255)
    }

    private static func luma(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> UInt8 {
        UInt8(truncatingIfNeeded: (Int(red) * 19595 + Int(green) * 38470 + Int(blue) * 7471 + 32768) >> 16)
    }
}
