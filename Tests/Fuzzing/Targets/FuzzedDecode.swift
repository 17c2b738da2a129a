import ImageCodecs

/// Bytes from a fuzzer, decoded whole and in pieces: neither may crash, and both must come to the same.
enum FuzzedDecode {
    /// Small enough that no input takes long.
    private static let limits = DecodeLimits(
        pixels: 1 << 20, outputBytes: 1 << 22, workingBytes: 1 << 23, scans: 12, metadataBytes: 1 << 16)

    /// What is asked for depends on the input alone, and the input may be any file.
    private static func options(_ bytes: UnsafeRawBufferPointer) -> DecodeOptions {
        let choice = bytes.count + Int(bytes.last ?? 0)
        var options = DecodeOptions(limits: limits, previews: true)
        let sides = [0, 1, 7, 60, 300]
        let side = sides[choice % sides.count]
        if side > 0 { options.rendition.targetSize = PixelSize(width: side, height: 1 + side / 2) }
        let modes: [ContentMode] = [.fit, .fill, .exact, .fill(gravity: .bottomRight)]
        options.rendition.contentMode = modes[choice / 5 % modes.count]
        options.rendition.filter = ResamplingFilter.allCases[choice / 20 % ResamplingFilter.allCases.count]
        options.rendition.enlarges = choice % 7 == 0
        options.rendition.leavesOutScans = choice % 3 == 0
        options.rendition.quality = choice % 7 == 0 ? .exact : .standard
        options.rendition.linearLight = choice % 11 == 0
        options.rendition.keepsDepth = choice % 2 == 0
        options.rendition.damage = choice % 3 == 1 ? .refuse : .show
        return options
    }

    static func run(_ bytes: UnsafeRawBufferPointer) {
        let options = options(bytes)
        let whole = decode(bytes, piece: max(1, bytes.count), options)
        let piece = 1 + Int(bytes.first ?? 0) % 4 * 50 + bytes.count % 50
        let inPieces = decode(bytes, piece: piece, options)
        switch (whole, inPieces) {
        case (.success(let left), .success(let right)):
            check(left == right, "pieces of \(piece) bytes give another picture")
        case (.failure, .failure):
            break
        case (.failure(let error), .success), (.success, .failure(let error)):
            if Self.dependsOnPieces(error) { return }
            fatalError("pieces of \(piece) bytes: \(inPieces), whole: \(whole)")
        }
    }

    /// In files of several sequential scans libjpeg-turbo's quick way, taken where many bytes are there, takes a bad code for a
    /// zero without a word; its other way warns.
    private static func dependsOnPieces(_ error: DecodeError) -> Bool {
        if case .corrupt("Corrupt JPEG data: bad Huffman code", _) = error { true } else { false }
    }

    private static func decode(
        _ bytes: UnsafeRawBufferPointer, piece: Int, _ options: DecodeOptions
    ) -> Result<Image, DecodeError> {
        let decoder = ContentDecoder(options: options)
        do throws(DecodeError) {
            var rest = bytes
            var size: PixelSize?
            var orientation = Orientation.up
            var quality = 0.0
            while !rest.isEmpty {
                try decoder.append(UnsafeRawBufferPointer(rebasing: rest.prefix(piece)))
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(piece))
                if let preview = try decoder.takePreview() {
                    check(preview.image.size == size ?? preview.image.size, "previews differ in size")
                    size = preview.image.size
                    orientation = preview.image.metadata.storedOrientation
                    check(preview.quality > quality && preview.quality <= 1, "a preview is no better than the last")
                    quality = preview.quality
                }
            }
            let image = try decoder.finish()
            // What a PNG says at its end may turn it, which fills a box otherwise, too.
            if image.metadata.storedOrientation == orientation {
                check(image.size == size ?? image.size, "the final image differs in size from its previews")
            }
            return .success(image)
        } catch {
            return .failure(error)
        }
    }
}
