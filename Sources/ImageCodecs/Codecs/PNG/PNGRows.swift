/// An image's rows in a layout, one at a time: what libpng asks for.
final class PNGRows {
    private let layout: PNGLayout
    private let image: Image
    private let pixels: UnsafeRawPointer
    /// Which rows of the image these are; `nil` for all.
    private let sample: [Int]?
    private let row: UnsafeMutablePointer<UInt8>

    /// - Parameter pixels: the image's, which outlive this.
    init(_ layout: PNGLayout, of image: Image, at pixels: UnsafeRawPointer, sample: [Int]?) {
        self.layout = layout
        self.image = image
        self.pixels = pixels
        self.sample = sample
        row = .allocate(capacity: image.width * image.format.bytesPerPixel)
    }

    deinit { row.deallocate() }

    /// The functions that C calls, with one of these as their context.
    static let row: @convention(c) (UnsafeMutableRawPointer?, UInt32) -> UnsafePointer<UInt8>? = { context, y in
        guard let context else { return nil }
        return Unmanaged<PNGRows>.fromOpaque(context).takeUnretainedValue().row(Int(y))
    }

    /// Valid until the next one is asked for.
    private func row(_ y: Int) -> UnsafePointer<UInt8> {
        let stored = pixels + (sample?[y] ?? y) * image.bytesPerRow
        switch layout.samples {
        case .format(image.format):
            return stored.assumingMemoryBound(to: UInt8.self)
        case .format(let format):
            pick(format, stored)
        case .grey(let bits):
            pick(.grey8, stored)
            for x in 0..<image.width { row[x] >>= UInt8(8 - bits) }
        case .palette(let palette):
            let format = image.format.deep(false)
            pick(format, stored)
            palette.index(row, count: image.width, format)
        }
        return UnsafePointer(row)
    }

    /// Leaves out what the format has no place for.
    private func pick(_ format: PixelFormat, _ stored: UnsafeRawPointer) {
        switch (image.format.isDeep, format.isDeep) {
        case (true, true): pick(format, Samples<UInt16>(stored), MutableSamples<UInt16>(row))
        case (true, false): pick(format, Samples<UInt16>(stored), MutableSamples<UInt8>(row))
        case (false, _): pick(format, Samples<UInt8>(stored), MutableSamples<UInt8>(row))
        }
    }

    @inline(__always)
    private func pick<From: PixelSample, Target: PixelSample>(
        _ format: PixelFormat, _ samples: Samples<From>, _ out: MutableSamples<Target>
    ) {
        let (channels, kept) = (image.format.channels, format.channels)
        let colours = format.isGrey ? 1 : 3
        for x in 0..<image.width {
            let (from, to) = (x &* channels, x &* kept)
            for channel in 0..<colours { out[to &+ channel] = Target(deep: samples[from &+ channel].deep) }
            if format.hasAlpha { out[to &+ colours] = Target(deep: samples[from &+ channels &- 1].deep) }
        }
    }
}
