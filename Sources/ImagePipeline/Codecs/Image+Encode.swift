import CJPEG
import CPNG

extension Image {
    /// The image as a file of the format given, with its ICC profile. Synchronous; runs on the caller's thread.
    public func encoded(as encoding: ImageEncoding) throws(EncodeError) -> [UInt8] {
        let output = EncodedOutput()
        try encode(as: encoding, into: output)
        return output.bytes
    }

    /// Writes the image as a file of the format given to a file descriptor, which is not closed, while it is encoded: no more
    /// than 64 KiB of the file are held.
    ///
    /// The descriptor must be one that waits for its peer. After an error part of the file may have been written.
    public func write(as encoding: ImageEncoding, to fileDescriptor: Int32) throws(EncodeError) {
        let output = EncodedOutput(to: fileDescriptor)
        do throws(EncodeError) {
            try encode(as: encoding, into: output)
        } catch {
            throw output.failure.map { .notWritten(code: $0) } ?? error
        }
        guard output.flush() else { throw .notWritten(code: output.failure ?? 0) }
    }

    private func encode(as encoding: ImageEncoding, into output: EncodedOutput) throws(EncodeError) {
        switch encoding {
        case .jpeg(let quality, let isProgressive, let subsampling):
            guard max(width, height) <= 65_500 else { throw .tooLarge(size, format: .jpeg) }
            try converted(to: format.isGrey ? .grey8 : .rgb8)
                .encodeJPEG(quality: quality, isProgressive: isProgressive, subsampling: subsampling, into: output)
        case .png(let level, let palette):
            guard max(width, height) <= Int(Int32.max) else { throw .tooLarge(size, format: .png) }
            try encodePNG(level: level, palette: palette ? PNGPalette(self) : nil, into: output)
        }
    }

    private func encodeJPEG(
        quality: Int, isProgressive: Bool, subsampling: ImageEncoding.ChromaSubsampling, into output: EncodedOutput
    ) throws(EncodeError) {
        var encoding = cjpeg_encoding()
        encoding.stride = bytesPerRow
        encoding.width = UInt32(width)
        encoding.height = UInt32(height)
        encoding.components = Int32(format.channels)
        encoding.quality = Int32(max(1, min(100, quality)))
        encoding.is_progressive = isProgressive ? 1 : 0
        encoding.subsampling = subsampling.rawValue
        try Self.run(.jpeg, output) { context, message, capacity in
            withPixelsAndProfile(bytes) { pixels, icc, iccCount in
                encoding.pixels = pixels
                encoding.icc = icc
                encoding.icc_count = iccCount
                return cjpeg_encode(&encoding, EncodedOutput.write, context, message, capacity) == CJPEG_OK
            }
        }
    }

    private func encodePNG(level: Int, palette: PNGPalette?, into output: EncodedOutput) throws(EncodeError) {
        var encoding = cpng_encoding()
        encoding.stride = palette == nil ? bytesPerRow : width
        encoding.width = UInt32(width)
        encoding.height = UInt32(height)
        encoding.channels = palette == nil ? Int32(format.channels) : 1
        encoding.bytes_per_sample = format.isDeep ? 2 : 1
        encoding.level = Int32(max(0, min(9, level)))
        encoding.palette_count = Int32(palette?.count ?? 0)
        encoding.palette_alphas = Int32(palette?.alphas ?? 0)
        try Self.run(.png, output) { context, message, capacity in
            withPixelsAndProfile(palette?.indices ?? bytes) { pixels, icc, iccCount in
                (palette?.entries ?? []).withUnsafeBufferPointer { entries in
                    encoding.pixels = pixels
                    encoding.palette = entries.baseAddress
                    encoding.icc = icc
                    encoding.icc_count = iccCount
                    return cpng_encode(&encoding, EncodedOutput.write, context, message, capacity) == CPNG_OK
                }
            }
        }
    }

    private func withPixelsAndProfile<Result>(
        _ pixels: [UInt8], _ body: (UnsafePointer<UInt8>?, UnsafePointer<UInt8>?, Int) -> Result
    ) -> Result {
        pixels.withUnsafeBufferPointer { pixels in
            (iccProfile ?? []).withUnsafeBufferPointer { body(pixels.baseAddress, $0.baseAddress, $0.count) }
        }
    }

    /// Runs a C encoder, which passes its bytes on to `output`.
    private static func run(
        _ format: ImageFormat, _ output: EncodedOutput,
        _ encode: (UnsafeMutableRawPointer, UnsafeMutablePointer<CChar>?, Int) -> Bool
    ) throws(EncodeError) {
        var message = [CChar](repeating: 0, count: 256)
        let succeeded = withExtendedLifetime(output) {
            message.withUnsafeMutableBufferPointer { buffer in
                encode(Unmanaged.passUnretained(output).toOpaque(), buffer.baseAddress, buffer.count - 1)
            }
        }
        guard !succeeded else { return }
        let text = String(decoding: message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        throw .failed(text.isEmpty ? "no memory" : text, format: format)
    }
}
