import CJPEG

extension Image {
    /// Returns the image encoded as a file of the format given. Synchronous; runs on the caller's thread.
    ///
    /// - Parameters:
    ///   - encoding: The format and its settings.
    ///   - written: The metadata that is written into the file. By default the place is left out. The orientation is
    ///     always upright, as the picture is.
    ///   - profile: The rule for writing the ICC profile. By default one that is large beside the picture is left out.
    public func encoded(
        as encoding: ImageEncoding, metadata written: WrittenMetadata = .standard,
        profile: ProfilePolicy = .proportionate
    ) throws(EncodeError) -> [UInt8] {
        let output = EncodedOutput()
        try encode(as: encoding, written, profile, into: output)
        return output.bytes
    }

    /// Encodes the image and writes the file to a descriptor, which is not closed; no more than 64 KiB of the file are
    /// held, unless it is a PNG for which more than one layout is tried.
    ///
    /// The descriptor must be one that waits for its peer. After an error part of the file may have been written.
    ///
    /// - Parameters:
    ///   - encoding: The format and its settings.
    ///   - written: The metadata that is written into the file. By default the place is left out. The orientation is
    ///     always upright, as the picture is.
    ///   - profile: The rule for writing the ICC profile. By default one that is large beside the picture is left out.
    ///   - fileDescriptor: The descriptor of the open file.
    public func write(
        as encoding: ImageEncoding, metadata written: WrittenMetadata = .standard,
        profile: ProfilePolicy = .proportionate, to fileDescriptor: Int32
    ) throws(EncodeError) {
        let output = EncodedOutput(to: fileDescriptor)
        do throws(EncodeError) {
            try encode(as: encoding, written, profile, into: output)
        } catch {
            throw output.failure.map { .notWritten(code: $0) } ?? error
        }
        guard output.flush() else { throw .notWritten(code: output.failure ?? 0) }
    }

    private func encode(
        as encoding: ImageEncoding, _ written: WrittenMetadata, _ profile: ProfilePolicy, into output: EncodedOutput
    ) throws(EncodeError) {
        let facts = metadata.limited(to: written)
        let samples = width * height * format.bytesPerPixel
        let image = withICCProfile(profile.applied(to: iccProfile, samples: samples))
        switch encoding {
        case .jpeg(let quality, let isProgressive, let subsampling, let tables):
            guard max(width, height) <= 65_500 else { throw .tooLarge(size, format: .jpeg) }
            // There is no place in the file that says what other samples mean.
            try image.withGammaApplied(keepsDepth: false).converted(to: format.isGrey ? .grey8 : .rgb8)
                .encodeJPEG(
                    quality: quality, isProgressive: isProgressive, subsampling: subsampling,
                    tables: tables, facts, into: output)
        case .png(let level, let reduced):
            guard max(width, height) <= Int(Int32.max) else { throw .tooLarge(size, format: .png) }
            try PNGEncoder(image, facts, level: level).encode(reduced: reduced, into: output)
        }
    }

    private func encodeJPEG(
        quality: Int, isProgressive: Bool, subsampling: ImageEncoding.ChromaSubsampling,
        tables: ImageEncoding.HuffmanTables,
        _ facts: ImageMetadata, into output: EncodedOutput
    ) throws(EncodeError) {
        var encoding = cjpeg_encoding()
        encoding.stride = bytesPerRow
        encoding.width = UInt32(width)
        encoding.height = UInt32(height)
        encoding.components = Int32(format.channels)
        encoding.quality = Int32(max(1, min(100, quality)))
        encoding.is_progressive = isProgressive ? 1 : 0
        encoding.subsampling = subsampling.rawValue
        encoding.optimizes_coding = tables.areOptimized(for: size) ? 1 : 0
        let density = facts.density.flatMap(HeaderDensity.jfif)
        if let density {
            encoding.density_unit = density.jfifUnit
            encoding.density_x = UInt16(clamping: density.horizontal)
            encoding.density_y = UInt16(clamping: density.vertical)
        }
        let frame = JPEGFrameFacts(size: size, isGrey: format.isGrey, isSRGB: iccProfile == nil)
        try output.run(.jpeg) { context, message, capacity in
            bytes.withUnsafeBufferPointer { pixels in
                facts.exif(beside: density, frame: frame).withUnsafeBufferPointer { exif in
                    (iccProfile ?? []).withUnsafeBufferPointer { icc in
                        encoding.pixels = pixels.baseAddress
                        encoding.exif = exif.baseAddress
                        encoding.exif_count = exif.count
                        encoding.icc = icc.baseAddress
                        encoding.icc_count = icc.count
                        return cjpeg_encode(&encoding, EncodedOutput.write, context, message, capacity) == CJPEG_OK
                    }
                }
            }
        }
    }
}
