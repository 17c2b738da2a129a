/// What a JPEG's decoder remembers of its degraded images.
struct JPEGPreviews {
    var schedule = PreviewSchedule()
    /// The last scan that one has been made of.
    var scan = 0
    /// The most rows that one can have.
    var lastRows: Int?
    /// How much of the picture an embedded thumbnail stands for, once it has been looked for; 0 without one.
    var thumbnailShare: Double?
}

extension JPEGDecoder {
    public func takePreview() throws(DecodeError) -> DegradedImage? {
        if case .failed(let error) = phase { throw error }
        // A degraded image is a copy, at least.
        guard options.previews, previews.schedule.isOpen, let plan, SystemMemory.has(plan.reduction.memoryNeeded())
        else { return nil }
        do throws(DecodeError) {
            return try watch.working { () throws(DecodeError) in
                switch phase {
                case .header:
                    return try thumbnail(plan).flatMap { thumbnail throws(DecodeError) in
                        try show(thumbnail, plan)
                    }
                case .rows(let reduction, _): return try rows(reduction, plan)
                case .scans: return try scan(plan)
                case .finished, .closed, .failed: return nil
                }
            }
        } catch {
            phase = .failed(error)
            throw error
        }
    }

    /// The rows that are there, on the thumbnail, or on what fades out.
    private func rows(_ reduction: Reduction, _ plan: JPEGPlan) throws(DecodeError) -> DegradedImage? {
        let thumbnail = try thumbnail(plan)
        if let thumbnail {
            try lay(thumbnail, in: reduction, plan)
        }
        let share = previews.thumbnailShare ?? 0
        let (there, all) = (reduction.rowsMade, plan.reduction.output.height)
        let last = previews.lastRows ?? reduction.rowsMade(of: reduction.rowsNeeded - plan.rowsAtOnce)
        previews.lastRows = last
        // So few rows of blocks come in a moment, and the last of them are too much to do without.
        guard share > 0 || PreviewSchedule.allows(missing: all - last, of: all) else { return nil }
        let isCostly = plan.reduction.isCostlyToCopy
        guard previews.schedule.wants(rows: there, of: all, last: last, isCostly: isCostly) || thumbnail != nil else {
            return nil
        }
        return previews.schedule.give(reduction.previews(beside: share))
    }

    /// The newest scan that shows, or the thumbnail before there is a better one.
    private func scan(_ plan: JPEGPlan) throws(DecodeError) -> DegradedImage? {
        let scan = handle.lastVisibleScan
        let completeness = scan > previews.scan ? min(1, handle.completeness) : 0
        if let thumbnail = try thumbnail(plan),
            completeness == 0 || thumbnail.share(of: plan) >= certain
        {
            return try show(thumbnail, plan)
        }
        let share = previews.thumbnailShare ?? 0
        guard previews.schedule.wants(completeness, isCostly: plan.reduction.isCostlyToCopy),
            share == 0 || share < certain
        else { return nil }
        previews.scan = scan
        return previews.schedule.give(try render(scan: handle.scansComplete, plan), quality: completeness)
    }

    /// How large a thumbnail may be that the scans so far are better than. Colour comes early, and is little: what counts is the
    /// component of which least is there. First bits are counted for more than they show.
    private var certain: Double { handle.leastCompleteness / 1.5 }

    private func lay(_ thumbnail: EmbeddedThumbnail, in reduction: Reduction, _ plan: JPEGPlan) throws(DecodeError) {
        for part in [reduction] + reduction.further {
            let region = plan.region(of: thumbnail, showing: part.shown)
            guard part.lay(thumbnail.image, region: region, goesOn: watch.goesOn) else {
                throw watch.error(at: location)
            }
        }
    }

    /// The thumbnail alone.
    private func show(_ thumbnail: EmbeddedThumbnail, _ plan: JPEGPlan) throws(DecodeError) -> DegradedImage? {
        let reduction = try Reduction.make(plan.reduction, at: location)
        try lay(thumbnail, in: reduction, plan)
        return previews.schedule.give(reduction.previews(beside: thumbnail.share(of: plan)))
    }

    /// The embedded thumbnail, the first time that it is asked for.
    ///
    /// Enlarged it takes a fifth of the time of the whole decode at most: less the more the picture is reduced. (12 megapixels
    /// at their own size: 18 ms of 85; to 1600 × 1200: 6 of 178.) Where a picture of more than two megapixels is turned on its
    /// side, writing them takes more than that, and there is none.
    private func thumbnail(_ plan: JPEGPlan) throws(DecodeError) -> EmbeddedThumbnail? {
        guard previews.thumbnailShare == nil else { return nil }
        previews.thumbnailShare = 0
        guard !plan.reduction.isCostlyToCopy || !plan.reduction.orientation.isTransposing else { return nil }
        let thumbnail = handle.withExif { exif in
            ExifThumbnail(exif: exif).flatMap {
                EmbeddedThumbnail(
                    jpeg: UnsafeBufferPointer(rebasing: exif[$0.range]), stored: plan.stored,
                    format: plan.reduction.format, options: options)
            }
        }
        // The thumbnail's decoder may have been stopped for reasons that hold for this one too.
        try watch.check(at: location)
        previews.thumbnailShare = thumbnail?.share(of: plan) ?? 0
        return thumbnail
    }
}

extension EmbeddedThumbnail {
    /// How much of the picture it stands for: its share of the pixels that are decoded; half of them at most, as it is compressed
    /// more than they are.
    func share(of plan: JPEGPlan) -> Double {
        let decoded = plan.reduction.source
        return min(0.5, Double(image.width * image.height) / Double(decoded.width * decoded.height))
    }
}

extension JPEGPlan {
    /// What of a thumbnail is shown, in its pixels.
    ///
    /// - Parameter part: what of the picture is shown, in pixels as decoded.
    func region(of thumbnail: EmbeddedThumbnail, showing part: Region) -> Region {
        let decoded = (Double(stored.width) * Double(scale) / 8, Double(stored.height) * Double(scale) / 8)
        let (across, down) = (Double(thumbnail.image.width) / decoded.0, Double(thumbnail.image.height) / decoded.1)
        return Region(x: part.x * across, y: part.y * down, width: part.width * across, height: part.height * down)
    }
}
