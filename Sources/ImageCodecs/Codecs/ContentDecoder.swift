/// A decoder for any known format: it looks at the first bytes and passes all of them to the format's own decoder.
///
/// The formats are those of ``DecodeOptions/decoders``.
public final class ContentDecoder: ImageDecoder {
    private enum State {
        case sniffing([UInt8])
        case decoding(any FormatDecoder)
        case finished
        case failed(DecodeError)
    }

    private let options: DecodeOptions
    /// After so many bytes a format is known, or none.
    private let longestSignature: Int
    private var state = State.sniffing([])
    private var receivedBytes = 0
    /// Whether somebody has been told that no more bytes are needed.
    private var hasSaidEnough = false
    /// The images of ``DecodeOptions/further`` in their order, once ``finish()`` has returned the first; empty where the format's decoder makes
    /// none.
    public private(set) var furtherImages: [Image] = []

    /// Creates a decoder for one file.
    ///
    /// - Parameter options: The rendition, and the limits of the decode.
    public init(options: DecodeOptions = DecodeOptions()) {
        self.options = options
        longestSignature = options.decoders.longestSignature
    }

    /// The format found, once enough bytes have come.
    public private(set) var format: ImageFormat?

    /// The length that the file is said to have, in bytes, if that is known: one beyond the limit is refused when the
    /// format is found. A picture that is damaged, and has fewer bytes than that, is refused whatever the ``DamagePolicy``, unless
    /// ``needsNoMoreBytes`` has said that the rest is not needed.
    public var announcedBytes: Int?

    /// A Boolean value that indicates whether a truncated body would go undetected, as that of a transfer without an announced length
    /// or a marked end does. A picture that is damaged is then refused whatever the ``DamagePolicy``, unless ``needsNoMoreBytes`` has said
    /// that it has all it needs.
    public var mayLackBytes = false

    public func append(_ bytes: UnsafeRawBufferPointer) throws(DecodeError) {
        receivedBytes += bytes.count
        try failing { () throws(DecodeError) in
            switch state {
            case .failed(let error):
                throw error
            case .finished:
                throw .alreadyFinished
            case .decoding(let decoder):
                try checkInput()
                try decoder.append(bytes)
            case .sniffing(var prefix):
                let fresh = bytes.prefix(longestSignature - prefix.count)
                prefix.append(contentsOf: fresh)
                guard let decoder = try makeDecoder(prefix, isWhole: prefix.count >= longestSignature) else {
                    state = .sniffing(prefix)
                    return
                }
                try decoder.append(prefix)
                if bytes.count > fresh.count {
                    try checkCancellation()
                    try decoder.append(UnsafeRawBufferPointer(rebasing: bytes[fresh.endIndex...]))
                }
            }
        }
    }

    public var needsNoMoreBytes: Bool {
        if case .decoding(let decoder) = state, decoder.needsNoMoreBytes {
            hasSaidEnough = true
            return true
        }
        return false
    }

    public var memoryNeeded: Int? {
        if case .decoding(let decoder) = state { return decoder.memoryNeeded }
        return nil
    }

    public func takePreview() throws(DecodeError) -> DegradedImage? {
        try failing { () throws(DecodeError) in
            switch state {
            case .failed(let error): throw error
            case .decoding(let decoder): return try decoder.takePreview()
            case .sniffing, .finished: return nil
            }
        }
    }

    public func finish() throws(DecodeError) -> Image {
        try failing { () throws(DecodeError) in
            let image: Image
            switch state {
            case .failed(let error):
                throw error
            case .finished:
                throw .alreadyFinished
            case .decoding(let decoder):
                image = try decoder.finish()
                furtherImages = decoder.furtherImages
            case .sniffing(let prefix):
                guard let decoder = try makeDecoder(prefix, isWhole: true) else { throw .unknownFormat }
                try decoder.append(prefix)
                try checkCancellation()
                image = try decoder.finish()
                furtherImages = decoder.furtherImages
            }
            // The bytes left out because it said that it has enough are not lacking.
            let mayLack = !hasSaidEnough && (mayLackBytes || receivedBytes < announcedBytes ?? 0)
            if let damage = image.damage, let format, mayLack {
                throw DecodeError(damage, format: format)
            }
            state = .finished
            return image
        }
    }

    /// What `body` throws is thrown by every call from then on.
    private func failing<Result>(_ body: () throws(DecodeError) -> Result) throws(DecodeError) -> Result {
        do throws(DecodeError) {
            return try body()
        } catch {
            if case .finished = state { throw error }
            state = .failed(error)
            throw error
        }
    }

    /// Asked between two calls of the format's decoder that one call of this makes: the first may have cancelled the load.
    private func checkCancellation() throws(DecodeError) {
        if options.isCancelled() { throw .cancelled }
    }

    /// An endless body has a beginning that decodes, or segments to pass over: the decoders would never have enough of it.
    private func checkInput() throws(DecodeError) {
        guard let format else { return }
        let count = max(receivedBytes, announcedBytes ?? 0)
        let location = DecodeError.Location(format: format, byteOffset: receivedBytes)
        try options.limits.check(.inputBytes, count, options.limits.inputBytes, location)
    }

    /// - Parameter isWhole: as many bytes are there as decide, or as there will be.
    /// - Returns: `nil` if that needs more bytes.
    private func makeDecoder(_ prefix: [UInt8], isWhole: Bool) throws(DecodeError) -> (any FormatDecoder)? {
        guard let type = options.decoders.decoder(for: prefix, isWhole: isWhole) else {
            if isWhole { throw .unknownFormat }
            return nil
        }
        format = type.format
        try checkInput()
        // Before a plan is made, which takes a little.
        guard SystemMemory.has(0) else {
            throw .outOfMemory(at: DecodeError.Location(format: type.format, byteOffset: receivedBytes))
        }
        let decoder = type.init(options: options)
        state = .decoding(decoder)
        return decoder
    }
}
