import CJPEG
import CPNG

extension Image {
    /// The image as a file of the format given, with its ICC profile. Synchronous; runs on the caller's thread.
    public func encoded(as encoding: ImageEncoding) throws(EncodeError) -> [UInt8] {
        switch encoding {
        case .jpeg(let quality, let isProgressive, let subsampling):
            guard max(width, height) <= 65_500 else { throw .tooLarge(size, format: .jpeg) }
            return try converted(to: format.isGrey ? .grey8 : .rgb8)
                .encodedJPEG(quality: quality, isProgressive: isProgressive, subsampling: subsampling)
        case .png(let level):
            guard max(width, height) <= Int(Int32.max) else { throw .tooLarge(size, format: .png) }
            return try encodedPNG(level: level)
        }
    }

    private func encodedJPEG(
        quality: Int, isProgressive: Bool, subsampling: ImageEncoding.ChromaSubsampling
    ) throws(EncodeError) -> [UInt8] {
        var encoding = cjpeg_encoding()
        encoding.stride = bytesPerRow
        encoding.width = UInt32(width)
        encoding.height = UInt32(height)
        encoding.components = Int32(format.channels)
        encoding.quality = Int32(max(1, min(100, quality)))
        encoding.is_progressive = isProgressive ? 1 : 0
        encoding.subsampling = subsampling.rawValue
        return try Self.collect(.jpeg, free: cjpeg_free) { out, count, message, capacity in
            withPixelsAndProfile { pixels, icc, iccCount in
                encoding.pixels = pixels
                encoding.icc = icc
                encoding.icc_count = iccCount
                return cjpeg_encode(&encoding, &out, &count, message, capacity) == CJPEG_OK
            }
        }
    }

    private func encodedPNG(level: Int) throws(EncodeError) -> [UInt8] {
        var encoding = cpng_encoding()
        encoding.stride = bytesPerRow
        encoding.width = UInt32(width)
        encoding.height = UInt32(height)
        encoding.channels = Int32(format.channels)
        encoding.level = Int32(max(0, min(9, level)))
        return try Self.collect(.png, free: cpng_free) { out, count, message, capacity in
            withPixelsAndProfile { pixels, icc, iccCount in
                encoding.pixels = pixels
                encoding.icc = icc
                encoding.icc_count = iccCount
                return cpng_encode(&encoding, &out, &count, message, capacity) == CPNG_OK
            }
        }
    }

    private func withPixelsAndProfile<Result>(
        _ body: (UnsafePointer<UInt8>?, UnsafePointer<UInt8>?, Int) -> Result
    ) -> Result {
        bytes.withUnsafeBufferPointer { pixels in
            (iccProfile ?? []).withUnsafeBufferPointer { body(pixels.baseAddress, $0.baseAddress, $0.count) }
        }
    }

    /// Runs a C encoder and takes over the bytes it has allocated.
    private static func collect(
        _ format: ImageFormat, free: (UnsafeMutablePointer<UInt8>?) -> Void,
        _ encode: (inout UnsafeMutablePointer<UInt8>?, inout Int, UnsafeMutablePointer<CChar>?, Int) -> Bool
    ) throws(EncodeError) -> [UInt8] {
        var out: UnsafeMutablePointer<UInt8>?
        var count = 0
        var message = [CChar](repeating: 0, count: 256)
        let succeeded = message.withUnsafeMutableBufferPointer { buffer in
            encode(&out, &count, buffer.baseAddress, buffer.count - 1)
        }
        defer { free(out) }
        guard succeeded else {
            let text = String(decoding: message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            throw .failed(text.isEmpty ? "no memory" : text, format: format)
        }
        return [UInt8](UnsafeBufferPointer(start: out, count: count))
    }
}
