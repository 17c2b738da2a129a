extension Image {
    /// Returns the picture in another pixel format.
    ///
    /// Colour becomes grey by ITU-R BT.601's luma weights, as libjpeg and libpng do. Dropping alpha lays the picture on `background`,
    /// whose samples have 8 bits. 16 bits become the nearest 8.
    /// A profile that no longer describes the samples (grey to colour or back) is left out.
    ///
    /// - Parameters:
    ///   - target: The pixel format of the result.
    ///   - background: The colour behind transparent pixels when the result has no alpha.
    public func converted(
        to target: PixelFormat, background: (red: UInt8, green: UInt8, blue: UInt8) = (255, 255, 255)
    ) -> Image {
        guard target != format else { return self }
        let out = [UInt8](unsafeUninitializedCapacity: width * height * target.bytesPerPixel) { buffer, count in
            withUnsafeBytes { source in
                guard let out = UnsafeMutableRawPointer(buffer.baseAddress), let source = source.baseAddress else {
                    return
                }
                switch (format.isDeep, target.isDeep) {
                case (false, false):
                    convert(Samples<UInt8>.self, source, MutableSamples<UInt8>(out), target, background)
                case (false, true):
                    convert(Samples<UInt8>.self, source, MutableSamples<UInt16>(out), target, background)
                case (true, false):
                    convert(Samples<UInt16>.self, source, MutableSamples<UInt8>(out), target, background)
                case (true, true):
                    convert(Samples<UInt16>.self, source, MutableSamples<UInt16>(out), target, background)
                }
                count = buffer.count
            }
        }
        return Image(
            unpadded: out, size: size, format: target,
            iccProfile: target.isGrey == format.isGrey ? iccProfile : nil, metadata: metadata)
    }

    @inline(__always)
    private func convert<From: PixelSample, To: PixelSample>(
        _ row: Samples<From>.Type, _ source: UnsafeRawPointer, _ out: MutableSamples<To>,
        _ target: PixelFormat, _ background: (red: UInt8, green: UInt8, blue: UInt8)
    ) {
        let flattens = format.hasAlpha && !target.hasAlpha
        let paper = (
            From(deep: background.red.deep), From(deep: background.green.deep), From(deep: background.blue.deep)
        )
        var end = 0
        func append(_ sample: From) {
            out[end] = To(deep: sample.deep)
            end &+= 1
        }
        for y in 0..<height {
            let samples = row.init(source + y * bytesPerRow)
            var at = 0
            for _ in 0..<width {
                var red = samples[at]
                var green = format.isGrey ? red : samples[at + 1]
                var blue = format.isGrey ? red : samples[at + 2]
                let alpha = format.hasAlpha ? samples[at + format.channels - 1] : .max
                at += format.channels
                if flattens {
                    red = Self.blend(red, over: paper.0, alpha: alpha)
                    green = Self.blend(green, over: paper.1, alpha: alpha)
                    blue = Self.blend(blue, over: paper.2, alpha: alpha)
                }
                if target.isGrey {
                    append(red == green && green == blue ? red : Self.luma(red, green, blue))
                } else {
                    append(red)
                    append(green)
                    append(blue)
                }
                if target.hasAlpha { append(alpha) }
            }
        }
    }

    private static func blend<Sample: PixelSample>(_ sample: Sample, over background: Sample, alpha: Sample) -> Sample {
        let whole = Int(Sample.max)
        let sum = Int(sample) * Int(alpha) + Int(background) * (whole - Int(alpha))
        return Sample(truncatingIfNeeded: (sum + whole / 2) / whole)
    }

    private static func luma<Sample: PixelSample>(_ red: Sample, _ green: Sample, _ blue: Sample) -> Sample {
        Sample(truncatingIfNeeded: (Int(red) * 19595 + Int(green) * 38470 + Int(blue) * 7471 + 32768) >> 16)
    }
}
