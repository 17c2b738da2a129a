/// The reductions that a picture's rows go into: one, or, as long as an `eXIf` chunk may follow that turns it, one for each
/// way in which it may have to be cut out and resized.
///
/// A picture that is turned by a quarter fits into a box that is not square at another size. A square box, and the picture's own size, need
/// one reduction in any case.
struct PNGReductions {
    /// The first one takes the picture to stand as is known so far.
    private let all: [Reduction]
    private let size: PixelSize
    private let options: DecodeOptions

    /// Throws if the picture is beyond a limit, or beyond the memory there is. It is not refused for what might follow it: where all
    /// reductions are beyond a limit, there is the first.
    ///
    /// - Parameters:
    ///   - isOpen: whether the picture may still have to be turned.
    ///   - heldBytes: what the decoder holds beside them.
    init(
        size: PixelSize, format: PixelFormat, metadata: ImageMetadata, iccProfile: [UInt8]?, isOpen: Bool,
        heldBytes: Int, options: DecodeOptions, location: DecodeError.Location
    ) throws(DecodeError) {
        let plan = try Reduction.Plan(
            size: size, format: format, metadata: metadata, iccProfile: iccProfile, heldBytes: heldBytes,
            options: options, location: location)
        var plans = [plan]
        if isOpen {
            for orientation in Orientation.allCases {
                let placement = options.placement(stored: size, orientation)
                let further = plan.further.isEmpty ? [] : options.furtherPlacements(stored: size, orientation)
                var other = plan
                (other.region, other.output, other.further) = (placement.region, placement.output, [])
                other.add(further, held: heldBytes, limits: options.limits)
                let isKnown = plans.contains { $0.isPlaced([placement] + further) }
                if !isKnown, other.outputBytes <= options.limits.outputBytes { plans.append(other) }
            }
            let bytes = plans.dropFirst().reduce(plan.workingBytes + heldBytes) {
                $0 + $1.workingBytes + $1.outputBytes
            }
            if bytes > options.limits.workingBytes { plans = [plan] }
        }
        let needed = plans.reduce(min(heldBytes, 1 << 40)) { $0 + $1.memoryNeeded() }
        guard let all = SystemMemory.taking(needed, { plans.map { Reduction(plan: $0) } }) else {
            throw .outOfMemory(at: location)
        }
        self.all = all
        self.size = size
        self.options = options
    }

    /// The one that degraded images are made of.
    var first: Reduction { all[0] }

    /// The number of rows that must have come for the picture to be there, whichever way it is turned.
    var rowsNeeded: Int { all.reduce(0) { max($0, $1.rowsNeeded) } }

    var memoryNeeded: Int { all.reduce(0) { $0 + $1.plan.memoryNeeded() } }

    var isComplete: Bool { all.allSatisfy(\.isComplete) }

    /// - Returns: whether all that the row gives has been made.
    func append(_ row: UnsafePointer<UInt8>, goesOn: () -> Bool) -> Bool {
        all.allSatisfy { $0.append(row, goesOn: goesOn) }
    }

    /// The final image and further ones, once it is known how they stand; `nil` where rows of them are missing.
    func images(_ metadata: ImageMetadata, location: DecodeError.Location) throws(DecodeError) -> [Image]? {
        let orientation = metadata.storedOrientation
        guard orientation != first.plan.orientation else {
            return first.isComplete ? first.images.map { $0.withMetadata(metadata) } : nil
        }
        let placement = options.placement(stored: size, orientation)
        let limits = options.limits
        try limits.check(stored: size, output: placement.output, format: first.plan.format, location: location)
        let placements = [placement] + options.furtherPlacements(stored: size, orientation)
        let reduction =
            all.first { $0.plan.isPlaced(placements) } ?? all.first { $0.plan.isPlaced([placement]) }
        guard let reduction else {
            throw .limitExceeded(
                .workingBytes, value: limits.workingBytes + 1, allowed: limits.workingBytes, at: location)
        }
        guard reduction.isComplete else { return nil }
        try limits.check(.workingBytes, reduction.plan.outputBytes, limits.workingBytes, location)
        return reduction.images.map { $0.turned(orientation).withMetadata(metadata) }
    }
}

extension Image {
    /// The upright picture of one that stands as it was stored, without padding between its rows.
    fileprivate func turned(_ orientation: Orientation) -> Image {
        var canvas = UprightCanvas(stored: size, format: format, orientation: orientation)
        bytes.withUnsafeBufferPointer { bytes in
            guard let base = bytes.baseAddress else { return }
            for y in 0..<height { canvas.append(base + y * bytesPerRow) }
        }
        return canvas.image(iccProfile: iccProfile, metadata: metadata)
    }
}
