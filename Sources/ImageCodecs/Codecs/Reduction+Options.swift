extension Reduction.Plan {
    /// The reduction of a file's rows, of whichever format; throws if that is beyond a limit. Further renditions that are, together, are
    /// left out.
    ///
    /// - Parameters:
    ///   - size: as stored.
    ///   - format: what rows are made of.
    ///   - heldBytes: what the decoder holds beside the reduction.
    init(
        size: PixelSize, format: PixelFormat, metadata: ImageMetadata, iccProfile: [UInt8]?, heldBytes: Int,
        options: DecodeOptions, location: DecodeError.Location
    ) throws(DecodeError) {
        let placement = options.placement(stored: size, metadata.storedOrientation)
        let limits = options.limits
        try limits.check(stored: size, output: placement.output, format: format, location: location)
        self.init(
            source: size, region: placement.region, output: placement.output, format: format,
            orientation: metadata.storedOrientation, iccProfile: iccProfile, metadata: metadata,
            filter: options.rendition.filter,
            linearLight: options.rendition.linearLight)
        let (working, overflow) = workingBytes.addingReportingOverflow(max(0, heldBytes))
        try limits.check(.workingBytes, overflow ? .max : working, limits.workingBytes, location)
        add(options.furtherPlacements(stored: size, metadata.storedOrientation), held: heldBytes, limits: limits)
    }

    /// Has further pictures made of the same rows, all of them or, beyond a limit, none.
    ///
    /// - Parameter held: bytes held beside the reductions.
    mutating func add(_ placements: [Placement], held: Int, limits: DecodeLimits) {
        further = placements.map { placement in
            var plan = self
            (plan.region, plan.output) = (placement.region, placement.output)
            return plan
        }
        let largest = further.map(\.outputBytes).max() ?? 0
        let (working, overflow) = workingBytes.addingReportingOverflow(max(0, held))
        if overflow || working > limits.workingBytes || largest > limits.outputBytes { further = [] }
    }

    /// The bytes that the image takes, saturating.
    var outputBytes: Int {
        DecodeLimits.product(DecodeLimits.product(output.width, output.height), format.bytesPerPixel)
    }

    /// The bytes that are held while the pictures are made, they themselves included; about a terabyte at the most.
    ///
    /// - Parameter held: bytes held beside the reduction's own.
    func memoryNeeded(beside held: Int = 0) -> Int {
        ([held, workingBytes, outputBytes] + further.map(\.outputBytes)).reduce(0) { $0 + min($1, 1 << 40) }
    }

    /// Whether it makes the pictures of these placements.
    func isPlaced(_ placements: [Placement]) -> Bool {
        ([self] + further).elementsEqual(placements) { $0.region == $1.region && $0.output == $1.output }
    }
}

extension Reduction {
    /// Makes a reduction, if the system has the memory for it and its images.
    static func make(_ plan: Plan, at location: DecodeError.Location) throws(DecodeError) -> Reduction {
        guard let reduction = SystemMemory.taking(plan.memoryNeeded(), { Reduction(plan: plan) }) else {
            throw .outOfMemory(at: location)
        }
        return reduction
    }
}
