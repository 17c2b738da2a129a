import CPNG

/// Writes an image as a PNG, in the layout in which that is smallest.
struct PNGEncoder {
    /// Of as many bytes of pixels all layouts are tried in full. Of more, those that do well with a part of the rows.
    private static let smallBytes = 1 << 18
    /// Rows next to each other that are taken of every sixteen times as many.
    private static let bandRows = 16
    private static let bandDistance = 16 * bandRows
    /// The most that the part may take, as a multiple of the best: it knows nothing of repetitions in the rest.
    private static let tolerance = 1.1

    private let image: Image
    private let facts: ImageMetadata
    private let level: Int

    /// - Parameters:
    ///   - facts: those that are to be written.
    ///   - level: zlib's, 0 to 9; clamped.
    init(_ image: Image, _ facts: ImageMetadata, level: Int) {
        self.image = image
        self.facts = facts
        self.level = max(0, min(9, level))
    }

    /// - Parameter reduced: whether other layouts are tried than the image's own.
    func encode(reduced: Bool, into output: EncodedOutput) throws(EncodeError) {
        let own = PNGLayout(samples: .format(image.format), isFiltered: true)
        let layouts = reduced ? try promising(PNGLayout.all(of: image)) : [own]
        guard layouts.count > 1 else { return try write(layouts.first ?? own, into: output) }
        var best: [UInt8]?
        for layout in layouts { best = try file(layout, below: best?.count ?? .max) ?? best }
        guard let best, best.withUnsafeBufferPointer({ output.append($0) }) else {
            throw .failed("the output was not taken", format: .png)
        }
    }

    /// Those that may be the smallest, the likeliest first.
    private func promising(_ layouts: [PNGLayout]) throws(EncodeError) -> [PNGLayout] {
        guard image.width * image.height * image.format.bytesPerPixel > Self.smallBytes else { return layouts }
        let sample = (0..<image.height).filter { $0 % Self.bandDistance < Self.bandRows }
        var sizes: [(layout: PNGLayout, size: Int)] = []
        for layout in layouts { sizes.append((layout, try file(layout, sample: sample)?.count ?? .max)) }
        sizes.sort { $0.size < $1.size }
        let limit = Double(sizes[0].size) * Self.tolerance
        return sizes.prefix { Double($0.size) <= limit }.map(\.layout)
    }

    /// - Returns: the file, or `nil` where it is not smaller than that.
    private func file(
        _ layout: PNGLayout, below size: Int = .max, sample: [Int]? = nil
    ) throws(EncodeError) -> [UInt8]? {
        let output = EncodedOutput(limit: size - 1)
        do throws(EncodeError) {
            try write(layout, sample: sample, into: output)
        } catch {
            if output.isBeyondLimit { return nil }
            throw error
        }
        return output.bytes
    }

    private func write(
        _ layout: PNGLayout, sample: [Int]? = nil, into output: EncodedOutput
    ) throws(EncodeError) {
        var encoding = cpng_encoding()
        encoding.row = PNGRows.row
        encoding.width = UInt32(image.width)
        encoding.height = UInt32(sample?.count ?? image.height)
        encoding.colour_type = layout.colourType
        encoding.bits = Int32(layout.bits)
        encoding.filters = layout.isFiltered ? 1 : 0
        encoding.level = Int32(level)
        encoding.palette_count = Int32(layout.palette?.colours.count ?? 0)
        encoding.palette_alphas = Int32(layout.palette?.alphas ?? 0)
        // Metadata beside the pixels would make the layouts look more alike than they are.
        let icc = sample == nil ? image.iccProfile ?? [] : []
        let density = facts.density.flatMap(HeaderDensity.png)
        encoding.density_x = density?.horizontal ?? 0
        encoding.density_y = density?.vertical ?? 0
        encoding.gamma = image.iccProfile == nil ? facts.gamma.flatMap(PNGGamma.init)?.value ?? 0 : 0
        try output.run(.png) { context, message, capacity in
            image.withUnsafeBytes { pixels in
                guard let base = pixels.baseAddress else { return false }
                let rows = PNGRows(layout, of: image, at: base, sample: sample)
                encoding.row_context = Unmanaged.passUnretained(rows).toOpaque()
                return withExtendedLifetime(rows) {
                    withPointers(layout.palette?.entries ?? [], facts.exif(beside: density), icc) {
                        palette, exif, icc in
                        encoding.palette = palette.baseAddress
                        encoding.exif = exif.baseAddress
                        encoding.exif_count = exif.count
                        encoding.icc = icc.baseAddress
                        encoding.icc_count = icc.count
                        return cpng_encode(&encoding, EncodedOutput.write, context, message, capacity) == CPNG_OK
                    }
                }
            }
        }
    }

    private func withPointers<Result>(
        _ palette: [UInt8], _ exif: [UInt8], _ icc: [UInt8],
        _ body: (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result {
        palette.withUnsafeBufferPointer { palette in
            exif.withUnsafeBufferPointer { exif in
                icc.withUnsafeBufferPointer { body(palette, exif, $0) }
            }
        }
    }
}
