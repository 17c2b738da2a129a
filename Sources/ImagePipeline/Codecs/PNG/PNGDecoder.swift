import CPNG

/// Push decoder for PNG: all colour types and depths, palettes, `tRNS`, Adam7. 16 bits become 8 (the upper ones), unless
/// ``DecodeOptions/keepsDepth`` says otherwise.
///
/// Samples are as the file has them: gamma is not applied (as by libpng's plain RGBA expansion); it travels with the image, as an
/// ICC profile does. Rows of a file that is not interlaced go straight into the reduction. An interlaced one is held whole, within
/// ``DecodeLimits/workingBytes``.
///
/// Degraded images: Adam7's passes, or the rows that are there. Where others are missing, the last row fades to the mean colour;
/// if a picture can be seen through, they are clear. Files of less than about 24 KB have none of rows; where
/// they are clear, of 512 KB: the last of them would lack too much.
public final class PNGDecoder: FormatDecoder {
    public static let format = ImageFormat.png
    public static let signatureLength = 8

    /// The signature (PNG 3rd edition, 5.2).
    public static func recognizes(_ prefix: [UInt8]) -> Bool {
        prefix.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    }

    private let options: DecodeOptions
    private let watch: DecodeWatch
    private var decoder: OpaquePointer?
    private let gate: PNGChunkGate
    private var sink: PNGSink?
    private var error: DecodeError?
    private var hasFinished = false
    private var previews = PreviewSchedule()

    /// A decoder for one file.
    public init(options: DecodeOptions = DecodeOptions()) {
        self.options = options
        watch = DecodeWatch(options: options)
        gate = PNGChunkGate(metadataBytes: options.limits.metadataBytes)
        // The context outlives the C decoder, which only calls back within `append`.
        decoder = cpng_decoder_create(
            Unmanaged.passUnretained(self).toOpaque(),
            { context, info in
                guard let context, let info else { return 1 }
                return Unmanaged<PNGDecoder>.fromOpaque(context).takeUnretainedValue().begin(info.pointee) ? 0 : 1
            },
            { context, row, y, pass in
                guard let context else { return 1 }
                let decoder = Unmanaged<PNGDecoder>.fromOpaque(context).takeUnretainedValue()
                return decoder.take(row, y: Int(y), pass: Int(pass)) ? 0 : 1
            },
            max(1, options.limits.metadataBytes), options.keepsDepth ? 1 : 0)
    }

    deinit { cpng_decoder_destroy(decoder) }

    public func append(_ bytes: UnsafeRawBufferPointer) throws(DecodeError) {
        if let error { throw error }
        guard !hasFinished else { throw .alreadyFinished }
        guard let decoder else { throw fail(.outOfMemory(at: location)) }
        if isDoneEarly { return }
        if let failure = try watch.working({ () throws(DecodeError) in process(bytes, decoder) }) {
            throw fail(failure)
        }
    }

    private func process(_ bytes: UnsafeRawBufferPointer, _ decoder: OpaquePointer) -> DecodeError? {
        var failure: DecodeError?
        gate.filter(bytes) { verdict in
            switch verdict {
            case .tooLong(let length):
                failure = .limitExceeded(
                    .metadataBytes, value: length, allowed: options.limits.metadataBytes, at: location)
                return false
            case .forward(let part):
                let base = part.bindMemory(to: UInt8.self).baseAddress
                failure = self.failure(cpng_process(decoder, base, part.count), decoder)
                return failure == nil
            }
        }
        // libpng was stopped, or was wrong about what lies below.
        return isDoneEarly ? nil : failure
    }

    public var needsNoMoreBytes: Bool { error == nil && !hasFinished && isDoneEarly }

    public func takePreview() throws(DecodeError) -> DegradedImage? {
        if let error { throw error }
        // Behind the picture's end the final image is a call away.
        guard options.previews, let sink, !isDoneEarly, !gate.hasSeenEnd,
            let quality = sink.previewQuality(in: &previews, bytes: gate.byteOffset)
        else { return nil }
        guard let image = try watch.working({ () throws(DecodeError) in sink.preview(watch: watch) }) else {
            throw fail(watch.error(at: location))
        }
        return previews.give(image, quality: quality)
    }

    public func finish() throws(DecodeError) -> Image {
        if let error { throw error }
        guard !hasFinished else { throw .alreadyFinished }
        // The end is there although the last piece is not complete.
        if let decoder, !isDoneEarly {
            let error = try watch.working { () throws(DecodeError) in failure(cpng_finish(decoder), decoder) }
            if let error, !isDoneEarly { throw fail(error) }
        }
        guard let sink, sink.isComplete else {
            throw fail(
                gate.hasSeenEnd ? .corrupt("fewer rows than declared", at: location) : .truncated(at: location))
        }
        guard let image = try watch.working({ () throws(DecodeError) in sink.image(watch: watch) }) else {
            throw fail(watch.error(at: location))
        }
        hasFinished = true
        self.sink = nil
        return image
    }

    /// Whether what is shown is there, and what follows is not: nobody looks at that.
    private var isDoneEarly: Bool { sink.map { $0.leavesRowsOut && $0.isComplete } ?? false }

    // MARK: Within cpng_process

    private func begin(_ info: cpng_info) -> Bool {
        do throws(DecodeError) {
            sink = try PNGSink(plan: makePlan(info), isInterlaced: info.is_interlaced != 0)
            return true
        } catch {
            self.error = error
            return false
        }
    }

    private func makePlan(_ info: cpng_info) throws(DecodeError) -> Reduction.Plan {
        let start = location
        guard (1...4).contains(info.channels) else {
            throw .corrupt("\(info.channels) channels", at: start)
        }
        let format = PixelFormat(
            isGrey: info.channels <= 2, hasAlpha: info.channels % 2 == 0, isDeep: info.bytes_per_sample == 2)
        var count = 0
        let icc = cpng_icc(decoder, &count)
        let profile = UnsafeBufferPointer(start: icc, count: icc == nil ? 0 : count)
        let hasProfile = ICCProfile.describes(format, profile: profile)
        let metadata = ImageMetadata(gate, hasProfile: hasProfile)
        let stored = PixelSize(width: Int(info.width), height: Int(info.height))
        // libpng holds two rows, at up to 16 bits a sample. An interlaced picture is held whole.
        let rows = DecodeLimits.product(stored.width, 4 * format.channels)
        let rowBytes = DecodeLimits.product(stored.width, format.bytesPerPixel)
        let array = info.is_interlaced != 0 ? DecodeLimits.product(rowBytes, stored.height) : 0
        let (held, overflow) = rows.addingReportingOverflow(array)
        return try Reduction.Plan(
            size: stored, format: format, metadata: metadata, iccProfile: hasProfile ? [UInt8](profile) : nil,
            heldBytes: overflow ? .max : held, options: options, location: start)
    }

    private func take(_ row: UnsafePointer<UInt8>?, y: Int, pass: Int) -> Bool {
        guard let sink, let decoder, watch.goesOn(), sink.take(row, y: y, pass: pass, decoder, watch: watch) else {
            error = watch.error(at: location)
            return false
        }
        return !isDoneEarly
    }

    // MARK: Errors

    private var location: DecodeError.Location {
        DecodeError.Location(format: .png, byteOffset: gate.byteOffset, row: sink?.rowsTaken)
    }

    private func failure(_ status: cpng_status, _ decoder: OpaquePointer) -> DecodeError? {
        switch status {
        case CPNG_OK: nil
        case CPNG_STOPPED: error ?? watch.error(at: location)
        default: .corrupt(String(cString: cpng_message(decoder)), at: location)
        }
    }

    private func fail(_ error: DecodeError) -> DecodeError {
        self.error = error
        return error
    }
}
