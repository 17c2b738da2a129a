#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension Processors {
    /// A Gaussian blur, down then across; edges are as if their pixels went on. Colour is weighted by alpha.
    ///
    /// Complexity: the pixels times six times sigma; four bytes per sample of working memory.
    public struct Blur: ImageProcessor {
        /// The standard deviation in pixels, up to 250; nothing happens at 0 or below.
        public var sigma: Double

        /// A blur by so much.
        public init(sigma: Double) { self.sigma = sigma }

        public var identifier: String { "imagestreams.blur(\(sigma))" }

        public func process(_ image: Image) -> Image {
            blurred(image, isCancelled: { false }) ?? image
        }

        /// Asks before each row.
        public func process(_ image: Image, isCancelled: () -> Bool) throws(ProcessingError) -> Image {
            guard let blurred = blurred(image, isCancelled: isCancelled) else { throw .cancelled(identifier) }
            return blurred
        }

        private func blurred(_ image: Image, isCancelled: () -> Bool) -> Image? {
            guard sigma > 0.01 else { return image }
            let kernel = Self.kernel(sigma: min(250, sigma))
            let format = image.format
            let rowSamples = image.width * format.channels
            var rows = [Float](repeating: 0, count: rowSamples * image.height)
            Self.load(image, into: &rows)

            let reach = kernel.count / 2
            var sums = [Float](repeating: 0, count: rowSamples)
            var out = [UInt8](repeating: 0, count: image.width * format.bytesPerPixel * image.height)
            for y in 0..<image.height {
                if isCancelled() { return nil }
                for index in sums.indices { sums[index] = 0 }
                for (offset, weight) in kernel.enumerated() {
                    let start = max(0, min(image.height - 1, y + offset - reach)) * rowSamples
                    Self.add(rows, from: start, times: weight, to: &sums)
                }
                out.withUnsafeMutableBytes { out in
                    guard let out = out.baseAddress.map({ $0 + y * image.width * format.bytesPerPixel }) else { return }
                    if format.isDeep {
                        Self.across(sums, kernel, format, width: image.width, into: MutableSamples<UInt16>(out))
                    } else {
                        Self.across(sums, kernel, format, width: image.width, into: MutableSamples<UInt8>(out))
                    }
                }
            }
            return Image(
                unpadded: out, size: image.size, format: format, iccProfile: image.iccProfile, metadata: image.metadata)
        }

        /// Weights that sum to 1, as far as three standard deviations to each side.
        private static func kernel(sigma: Double) -> [Float] {
            let reach = max(1, Int((3 * sigma).rounded(.up)))
            let weights = (-reach...reach).map { exp(-Double($0 * $0) / (2 * sigma * sigma)) }
            let sum = weights.reduce(0, +)
            return weights.map { Float($0 / sum) }
        }

        /// Samples as floats, colour times alpha.
        private static func load(_ image: Image, into rows: inout [Float]) {
            let rowSamples = image.width * image.format.channels
            rows.withUnsafeMutableBufferPointer { rows in
                image.bytes.withUnsafeBufferPointer { bytes in
                    guard let rows = rows.baseAddress, let bytes = bytes.baseAddress else { return }
                    for y in 0..<image.height {
                        RowFilter.load(
                            bytes + y * image.bytesPerRow, into: rows + y * rowSamples, count: rowSamples,
                            format: image.format)
                    }
                }
            }
        }

        private static func add(_ rows: [Float], from start: Int, times weight: Float, to sums: inout [Float]) {
            rows.withUnsafeBufferPointer { rows in
                sums.withUnsafeMutableBufferPointer { sums in
                    for index in 0..<sums.count { sums[index] += rows[start &+ index] * weight }
                }
            }
        }

        /// One row, blurred down already, blurred across and back to straight samples.
        private static func across<Sample: PixelSample>(
            _ row: [Float], _ kernel: [Float], _ format: PixelFormat, width: Int, into out: MutableSamples<Sample>
        ) {
            let channels = format.channels
            let reach = kernel.count / 2
            row.withUnsafeBufferPointer { row in
                for x in 0..<width {
                    var sums = SIMD4<Float>.zero
                    for (offset, weight) in kernel.enumerated() {
                        let at = max(0, min(width &- 1, x &+ offset &- reach)) &* channels
                        for channel in 0..<channels { sums[channel] += row[at &+ channel] * weight }
                    }
                    if format.hasAlpha {
                        let alpha = sums[channels - 1]
                        let straight = alpha > 0 ? sums * (Sample.largest / alpha) : .zero
                        sums = straight
                        sums[channels - 1] = alpha
                    }
                    for channel in 0..<channels {
                        out[x &* channels &+ channel] = Sample(min(Sample.largest, max(0, sums[channel])) + 0.5)
                    }
                }
            }
        }
    }
}

extension AnyImageProcessor {
    /// A step that blurs by a standard deviation in pixels: see ``Processors/Blur``.
    public static func blur(sigma: Double) -> AnyImageProcessor { AnyImageProcessor(Processors.Blur(sigma: sigma)) }
}
