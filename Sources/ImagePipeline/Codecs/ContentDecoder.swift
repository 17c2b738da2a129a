/// A decoder for any known format: it looks at the first bytes and passes all of them to the format's own decoder.
public final class ContentDecoder: ImageDecoder {
    private enum State {
        case sniffing([UInt8])
        case decoding(any ImageDecoder)
        case failed(DecodeError)
    }

    private let options: DecodeOptions
    private var state = State.sniffing([])
    private var receivedBytes = 0

    /// A decoder for one file.
    public init(options: DecodeOptions = DecodeOptions()) {
        self.options = options
    }

    /// The format found, once enough bytes have come.
    public private(set) var format: ImageFormat?

    /// How many bytes the file is said to have, if that is known: too many are refused when the format is found.
    public var announcedBytes: Int?

    public func append(_ bytes: UnsafeRawBufferPointer) throws(DecodeError) {
        receivedBytes += bytes.count
        switch state {
        case .failed(let error):
            throw error
        case .decoding(let decoder):
            try checkInput()
            try decoder.append(bytes)
        case .sniffing(var prefix):
            let missing = ImageFormat.signatureLength - prefix.count
            prefix.append(contentsOf: bytes.prefix(missing))
            guard prefix.count >= ImageFormat.signatureLength else {
                state = .sniffing(prefix)
                return
            }
            let decoder = try makeDecoder(prefix)
            try decoder.append(prefix)
            if bytes.count > missing {
                try decoder.append(UnsafeRawBufferPointer(rebasing: bytes[missing...]))
            }
        }
    }

    public var needsNoMoreBytes: Bool {
        if case .decoding(let decoder) = state { return decoder.needsNoMoreBytes }
        return false
    }

    public func takePreview() throws(DecodeError) -> DegradedImage? {
        switch state {
        case .failed(let error): throw error
        case .decoding(let decoder): return try decoder.takePreview()
        case .sniffing: return nil
        }
    }

    public func finish() throws(DecodeError) -> Image {
        switch state {
        case .failed(let error):
            throw error
        case .decoding(let decoder):
            return try decoder.finish()
        case .sniffing(let prefix):
            let decoder = try makeDecoder(prefix)
            try decoder.append(prefix)
            return try decoder.finish()
        }
    }

    /// An endless body has a beginning that decodes, or segments to pass over: the decoders would never have enough of it.
    private func checkInput() throws(DecodeError) {
        guard let format else { return }
        let count = max(receivedBytes, announcedBytes ?? 0)
        let location = DecodeError.Location(format: format, byteOffset: receivedBytes)
        do throws(DecodeError) {
            try options.limits.check(.inputBytes, count, options.limits.inputBytes, location)
        } catch {
            state = .failed(error)
            throw error
        }
    }

    private func makeDecoder(_ prefix: [UInt8]) throws(DecodeError) -> any ImageDecoder {
        guard let format = ImageFormat.detect(prefix) else {
            state = .failed(.unknownFormat)
            throw .unknownFormat
        }
        self.format = format
        try checkInput()
        let decoder: any ImageDecoder =
            switch format {
            case .jpeg: JPEGDecoder(options: options)
            case .png: PNGDecoder(options: options)
            }
        state = .decoding(decoder)
        return decoder
    }
}
