import CPNG

/// A push decoder for PNG: all colour types and depths, palettes, `tRNS`, Adam7. 16 bits become 8 (the upper ones),
/// unless ``Rendition/keepsDepth`` says otherwise.
///
/// Samples become sRGB's where the file says by its gamma that they are others (``Rendition/appliesGamma``). Rows go straight into the
/// reduction. Of an interlaced file every other row is held, within ``DecodeLimits/workingBytes``, until the last pass.
///
/// An `eXIf` chunk counts wherever it stands (ImageMagick writes it behind the data). Where there is none before the data, only the file's
/// end says how the picture stands: the bytes up to there are waited for, and degraded images stand as they are stored.
///
/// Where data are damaged, or end too early, the rows before that are shown: see ``DamagePolicy``. Of an interlaced picture it is every pass
/// before, and the rows of the last one.
///
/// Degraded images: Adam7's passes, or the rows that are there. Where others are missing, the last row fades to the mean colour;
/// if a picture can be seen through, they are clear. Files of less than about 24 KB have none of rows; where
/// they are clear, of 512 KB: the last of them would lack too much.
public final class PNGDecoder: FormatDecoder {
    public static let format = ImageFormat.png
    public static let signatureLength = 8

    /// Returns a Boolean value that indicates whether the bytes begin with PNG's signature (PNG 3rd edition, 5.2).
    ///
    /// - Parameter prefix: The first bytes of a file.
    public static func recognizes(_ prefix: [UInt8]) -> Bool {
        prefix.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    }

    public private(set) var furtherImages: [Image] = []
    private let options: DecodeOptions
    private let watch: DecodeWatch
    private let handle: PNGHandle
    private let gate: PNGChunkGate
    private var sink: PNGSink?
    private var hasProfile = false
    /// The table that turns the file's samples into sRGB's; nil if they are sRGB's already.
    private var curve: GammaCurve?
    private var error: DecodeError?
    /// The first fault of a picture that is shown all the same.
    private var damage: ImageDamage?
    /// True once libpng has given up on it.
    private var isLost = false
    private var hasFinished = false
    private var previews = PreviewSchedule()

    /// Creates a decoder for one file.
    ///
    /// - Parameter options: The rendition, and the limits of the decode.
    public init(options: DecodeOptions = DecodeOptions()) {
        self.options = options
        watch = DecodeWatch(options: options)
        gate = PNGChunkGate(metadataBytes: options.limits.metadataBytes)
        handle = PNGHandle(
            metadataLimit: options.limits.metadataBytes, passesDamage: options.rendition.damage == .show)
    }

    public func append(_ bytes: UnsafeRawBufferPointer) throws(DecodeError) {
        if let error { throw error }
        guard !hasFinished else { throw .alreadyFinished }
        if needsNoMoreBytes { return }
        if let failure = try watch.working({ () throws(DecodeError) in process(bytes) }) {
            throw fail(failure)
        }
    }

    private func process(_ bytes: UnsafeRawBufferPointer) -> DecodeError? {
        var failure: DecodeError?
        gate.filter(bytes) { verdict in
            switch verdict {
            case .tooLong(let length):
                // Behind the data there is no such chunk: what says so is damaged.
                let isDamaged = passes(.corrupt("a chunk of \(length) bytes", at: location))
                failure =
                    isDamaged
                    ? nil
                    : .limitExceeded(
                        .metadataBytes, value: length, allowed: options.limits.metadataBytes, at: location)
                return false
            case .forward(let part):
                failure = step { handle.process(part, for: self) }
                return failure == nil || isDoneEarly
            case .checksum:
                failure = step { handle.flush(for: self) }
                return failure == nil || isDoneEarly
            }
        }
        // libpng was stopped, or was wrong about what lies below.
        return isDoneEarly ? nil : failure
    }

    /// Has libpng take bytes, unless only chunks behind the data are looked for.
    private func step(_ work: () -> PNGHandle.Outcome) -> DecodeError? {
        if isDoneEarly || isLost { return nil }
        let outcome = work()
        if damage == nil, let message = handle.damage {
            damage = DecodeError.corrupt(message, at: location).damage
        }
        return failure(outcome).flatMap { passes($0) ? nil : $0 }
    }

    /// True if the picture is shown as far as it has come, in spite of an error that ends it.
    private func passes(_ error: DecodeError) -> Bool {
        guard options.rendition.damage == .show, sink?.hasRows == true, let found = error.damage else { return false }
        damage = damage ?? found
        isLost = true
        return true
    }

    public var needsNoMoreBytes: Bool {
        error == nil && !hasFinished && isDoneEarly && (!gate.mayKnowMore || gate.hasSeenEnd)
    }

    public var memoryNeeded: Int? { sink?.memoryNeeded }

    public func takePreview() throws(DecodeError) -> DegradedImage? {
        if let error { throw error }
        // Behind the picture's end the final image is a call away. A degraded image is a copy, at least.
        guard options.previews, let sink, !isDoneEarly, !gate.hasSeenEnd,
            let quality = sink.previewQuality(in: &previews, bytes: gate.byteOffset),
            SystemMemory.has(sink.memoryNeeded)
        else { return nil }
        let images = try watch.working { () throws(DecodeError) in sink.previews(quality: quality, watch: watch) }
        guard let images else { throw fail(watch.error(at: location)) }
        return previews.give(images)
    }

    public func finish() throws(DecodeError) -> Image {
        if let error { throw error }
        guard !hasFinished else { throw .alreadyFinished }
        // The end is there although the last piece is not complete.
        if !isDoneEarly {
            let error = try watch.working { () throws(DecodeError) in step { handle.flush(for: self) } }
            if let error, !isDoneEarly { throw fail(error) }
        }
        let images = try failing { () throws(DecodeError) in
            try makeUpRows()
            return try sink?.images(facts, location: location)
        }
        guard let shown = images?.map({ $0.noting(damage) }), let image = shown.first else { throw fail(lack) }
        hasFinished = true
        self.sink = nil
        furtherImages = Array(shown.dropFirst())
        return image
    }

    private func makeUpRows() throws(DecodeError) {
        guard let sink, !sink.isComplete, passes(lack) else { return }
        let isDone = try watch.working { () throws(DecodeError) in sink.complete(watch: watch) }
        if !isDone { throw watch.error(at: location) }
    }

    /// The error of a file that has come to its end before its picture has.
    private var lack: DecodeError {
        gate.hasSeenEnd ? .corrupt("fewer rows than declared", at: location) : .truncated(at: location)
    }

    /// Whether what is shown is there, and what follows is not: nobody looks at that.
    private var isDoneEarly: Bool { sink.map { $0.leavesRowsOut && $0.isComplete } ?? false }

    // MARK: Within a step

    func begin(_ info: inout cpng_info) -> Bool {
        do throws(DecodeError) {
            sink = try makeSink(&info)
            return true
        } catch {
            self.error = error
            return false
        }
    }

    private func makeSink(_ info: inout cpng_info) throws(DecodeError) -> PNGSink {
        let start = location
        guard (1...4).contains(info.channels) else {
            throw .corrupt("\(info.channels) channels", at: start)
        }
        let stored = PixelFormat(
            isGrey: info.channels <= 2, hasAlpha: info.channels % 2 == 0, isDeep: info.bytes_per_sample == 2)
        let format = stored.deep(stored.isDeep && options.rendition.keepsDepth)
        let profile = handle.withICC { ICCProfile.describes(format, profile: $0) ? [UInt8]($0) : nil }
        hasProfile = profile != nil
        if options.rendition.appliesGamma, let gamma = gate.gamma(hasProfile: hasProfile) {
            curve = GammaCurve(gamma: gamma, isDeep: stored.isDeep, keepsDepth: format.isDeep)
        }
        // A curve takes all bits there are.
        let isDeep = stored.isDeep && (format.isDeep || curve != nil)
        info.bytes_per_sample = isDeep ? 2 : 1
        let size = PixelSize(width: Int(info.width), height: Int(info.height))
        let pixelBytes = format.deep(isDeep).bytesPerPixel
        let isInterlaced = info.is_interlaced != 0
        // libpng holds two rows, at up to 16 bits a sample, and a curve makes another.
        let rows = DecodeLimits.product(size.width, 6 * format.channels)
        let passes = PNGSink.heldBytes(size, pixelBytes: pixelBytes, isInterlaced: isInterlaced)
        let (held, overflow) = rows.addingReportingOverflow(passes)
        let reductions = try PNGReductions(
            size: size, format: format, metadata: facts,
            iccProfile: profile, isOpen: gate.mayKnowMore,
            heldBytes: overflow ? .max : held, options: options, location: start)
        return PNGSink(
            reductions, size: size, format: format, isDeep: isDeep, curve: curve, isInterlaced: isInterlaced)
    }

    /// The metadata of the image, from the chunks that have come.
    private var facts: ImageMetadata {
        var facts = ImageMetadata(gate, hasProfile: hasProfile)
        if curve != nil { facts.gamma = nil }
        return facts
    }

    func take(_ row: UnsafePointer<UInt8>, y: Int, pass: Int) -> Bool {
        guard let sink, watch.goesOn(), sink.take(row, y: y, pass: pass, watch: watch) else {
            error = watch.error(at: location)
            return false
        }
        return !isDoneEarly
    }

    // MARK: Errors

    private var location: DecodeError.Location {
        DecodeError.Location(format: .png, byteOffset: gate.byteOffset, row: sink?.rowsTaken)
    }

    private func failure(_ outcome: PNGHandle.Outcome) -> DecodeError? {
        switch outcome {
        case .goesOn: nil
        case .stopped: error ?? watch.error(at: location)
        case .failed(let message): .corrupt(message, at: location)
        case .lacksMemory: .outOfMemory(at: location)
        }
    }

    private func failing<Result>(_ body: () throws(DecodeError) -> Result) throws(DecodeError) -> Result {
        do throws(DecodeError) { return try body() } catch { throw fail(error) }
    }

    private func fail(_ error: DecodeError) -> DecodeError {
        self.error = error
        return error
    }
}
