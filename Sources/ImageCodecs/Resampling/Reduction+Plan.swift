extension Reduction {
    /// The plan of a reduction, known once a file's header has been read.
    struct Plan {
        /// Rows as decoded.
        var source: PixelSize
        /// The part of `source` that is shown. Even all of a picture may be less than it: a scaled decode rounds up.
        var region: Region
        /// The final picture before it is turned.
        var output: PixelSize
        var format: PixelFormat
        var orientation: Orientation
        var iccProfile: [UInt8]?
        var metadata: ImageMetadata
        var filter = ResamplingFilter.lanczos3
        var linearLight = false
        /// Pixels each way that a sample of `source` is the plain mean of.
        var averaged = 1
        /// Pictures made of the same rows; of their own `further` nothing is made.
        var further: [Plan] = []
        /// Whether one of `further` may be made of a larger one's rows instead of the decoded ones.
        var derivesFurther = false

        /// Whether pixels stay what they are: all of them, or a part.
        var isIdentity: Bool {
            region.width == Double(output.width) && region.height == Double(output.height)
                && region.x == region.x.rounded() && region.y == region.y.rounded()
        }

        /// Whether all pixels stay where they are.
        var isWhole: Bool { isIdentity && source == output }

        /// Whether a copy of the image takes long, beside what it takes to make it: more than two megapixels, little reduced.
        var isCostlyToCopy: Bool {
            let pixels = output.width * output.height
            return pixels > 1 << 21 && 4 * pixels > source.width * source.height
        }

        /// Whether enough time is saved by making pictures of each other. Of four megapixels or less each is soon made; and single small pictures
        /// of such photos, whose details are large beside their pixels, lose up to 20 dB by it.
        var isWorthDeriving: Bool { source.width * source.height > 1 << 22 }

        /// Bytes held beside the images; about, where one picture is made of another's rows.
        var workingBytes: Int {
            let own =
                isIdentity
                ? 0
                : Resampler.workingBytes(source: source, region: region, output: output, format: format, filter: filter)
            return further.reduce(own) { $0 + $1.workingBytes }
        }

        /// The plan of the picture made of another one's rows; nil where those would not do.
        ///
        /// - Parameters:
        ///   - shown: what the other one shows, in the rows that this one is planned for.
        ///   - reach: the pixels of the other one that there have to be, each way, for one of this.
        func following(_ other: Plan, showing shown: Region, reach: Double) -> Plan? {
            let (across, down) = (Double(other.output.width) / shown.width, Double(other.output.height) / shown.height)
            var plan = self
            plan.source = other.output
            plan.averaged = 1
            plan.region = Region(
                x: max(0, (region.x - shown.x) * across), y: max(0, (region.y - shown.y) * down),
                width: region.width * across, height: region.height * down)
            let slack = 1e-6
            // A picture that is only cut out consists of the decoded rows: those may as well be taken themselves. One that is enlarged has
            // no more than they have, in pixels that are all between theirs.
            guard !other.isIdentity, across <= 1 + slack, down <= 1 + slack, region.x >= shown.x - slack,
                region.y >= shown.y - slack,
                region.x + region.width <= shown.x + shown.width + slack,
                region.y + region.height <= shown.y + shown.height + slack,
                plan.region.width >= reach * Double(output.width),
                plan.region.height >= reach * Double(output.height)
            else { return nil }
            plan.region.width = min(plan.region.width, Double(plan.source.width) - plan.region.x)
            plan.region.height = min(plan.region.height, Double(plan.source.height) - plan.region.y)
            return plan
        }

        /// The decoded pixels for one of the picture, across and down.
        var step: (across: Double, down: Double) {
            (region.width / Double(output.width), region.height / Double(output.height))
        }
    }
}
