/// What a canvas shows where rows of the picture have not been written yet.
extension UprightCanvas {
    /// A smaller or larger picture of the same.
    ///
    /// - Parameters:
    ///   - picture: in the canvas's format, 8 bits a sample, and as the rows are stored.
    ///   - region: what of it the canvas shows.
    ///   - filter: for a picture that becomes smaller. One that becomes larger is interpolated.
    ///   - goesOn: asked after each row.
    /// - Returns: whether all of it is there.
    mutating func lay(
        _ picture: Image, region: Region, filter: ResamplingFilter, linearLight: Bool, goesOn: () -> Bool
    ) -> Bool {
        if Double(stored.height) > region.height {
            return enlarge(picture, region: region, goesOn: goesOn)
        }
        let resampler = Resampler(
            source: picture.size, region: region, output: stored, format: format, filter: filter,
            linearLight: linearLight)
        var y = 0
        return Self.append(picture, resampler.rows, to: resampler) { line in
            lay(line, at: y)
            y += 1
            return goesOn()
        }
    }

    private static func append(
        _ picture: Image, _ rows: Range<Int>, to resampler: Resampler, emit: (UnsafePointer<UInt8>) -> Bool
    ) -> Bool {
        picture.withUnsafeBytes { bytes in
            guard let base = bytes.bindMemory(to: UInt8.self).baseAddress else { return false }
            return rows.allSatisfy { y in
                resampler.append(base + y * picture.bytesPerRow)
                return resampler.makeRows(emit)
            }
        }
    }

    /// Bilinear, a row of the picture at a time: it is made as wide as the canvas once, and then mixed with the next. A filter in
    /// floats takes seven times as long.
    private mutating func enlarge(_ picture: Image, region: Region, goesOn: () -> Bool) -> Bool {
        let across = Region(x: region.x, y: 0, width: region.width, height: Double(picture.height))
        let resampler = Resampler(
            source: picture.size, region: across, output: PixelSize(width: stored.width, height: picture.height),
            format: format, filter: .bilinear)
        let step = region.height / Double(stored.height)
        let count = stored.width * format.bytesPerPixel
        var above = [UInt8](repeating: 0, count: count)
        var mixed = above
        var (row, y) = (0, 0)
        return Self.append(picture, resampler.rows, to: resampler) { below in
            defer {
                above.withUnsafeMutableBufferPointer { $0.baseAddress?.update(from: below, count: count) }
                row += 1
            }
            let isLast = row == picture.height - 1
            while y < stored.height {
                let centre = max(0, region.y + (Double(y) + 0.5) * step - 0.5)
                guard centre <= Double(row) || isLast else { return true }
                let share = row == 0 ? 256 : min(256, Int(256 * (centre - Double(row - 1))))
                if y >= rowsWritten {
                    mixed.withUnsafeMutableBufferPointer { mixed in
                        above.withUnsafeBufferPointer { above in
                            guard let mixed = mixed.baseAddress, let above = above.baseAddress else { return }
                            Self.mix(above, below, share: UInt16(share), into: mixed, count: count)
                            lay(mixed, at: y)
                        }
                    }
                }
                y += 1
                guard goesOn() else { return false }
            }
            return true
        }
    }

    /// - Parameter share: of the second one, of 256.
    private static func mix(
        _ first: UnsafePointer<UInt8>, _ second: UnsafePointer<UInt8>, share: UInt16,
        into out: UnsafeMutablePointer<UInt8>, count: Int
    ) {
        for at in 0..<count {
            let sum = UInt16(first[at]) &* (256 &- share) &+ UInt16(second[at]) &* share
            out[at] = UInt8(truncatingIfNeeded: (sum &+ 128) >> 8)
        }
    }

    /// The last row, which fades within an eighth of the picture to the mean colour of all that has been written.
    ///
    /// The last row alone is the nearest to the one below, but makes stripes; the mean is quiet, and hardly changes from one
    /// degraded image to the next.
    mutating func fadeOut() {
        guard rowsWritten > 0, rowsWritten < stored.height else { return }
        clearRest()
        if format.isDeep { fadeOut(of: UInt16.self) } else { fadeOut(of: UInt8.self) }
    }

    private mutating func fadeOut<Sample: PixelSample>(of sample: Sample.Type) {
        let missing = rowsWritten..<stored.height
        let length = max(1, stored.height / 8)
        let (channels, width) = (format.channels, stored.width)
        let mean = meanOfWritten(sample)
        let (from, advance) = line(rowsWritten - 1)
        let lines = missing.prefix(length).map { y in
            (to: line(y).start, share: 256 * (length - (y - missing.lowerBound)) / (length + 1))
        }
        bytes.withUnsafeMutableBytes { buffer in
            guard let base = buffer.baseAddress else { return }
            for (to, share) in lines {
                for x in 0..<width {
                    let last = MutableSamples<Sample>(base + from + x &* advance)
                    let made = MutableSamples<Sample>(base + to + x &* advance)
                    for channel in 0..<channels {
                        let difference = Int(last[channel]) &- mean[channel]
                        made[channel] = Sample(truncatingIfNeeded: mean[channel] &+ (difference &* share) >> 8)
                    }
                }
            }
        }
        let pixel = mean.flatMap { value in withUnsafeBytes(of: Sample(truncatingIfNeeded: value)) { Array($0) } }
        fill(missing.dropFirst(length), with: pixel)
    }

    /// In the order of memory, whichever way the rows lie in it.
    private mutating func fill(_ rows: Range<Int>, with pixel: [UInt8]) {
        guard !rows.isEmpty else { return }
        let lines =
            orientation.reversesRows ? (stored.height - rows.upperBound)..<(stored.height - rows.lowerBound) : rows
        let (across, down) = orientation.isTransposing ? (lines, 0..<size.height) : (0..<size.width, lines)
        let strip = [[UInt8]](repeating: pixel, count: across.count).flatMap { $0 }
        let rowBytes = size.width * format.bytesPerPixel
        bytes.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            for y in down {
                strip.withUnsafeBufferPointer { strip in
                    guard let start = strip.baseAddress else { return }
                    (base + y * rowBytes + across.lowerBound * pixel.count).update(from: start, count: strip.count)
                }
            }
        }
    }

    /// Whether no pixel that has been written shows what lies behind it.
    var isOpaque: Bool {
        guard format.hasAlpha else { return true }
        return bytes.withUnsafeBytes { buffer in
            guard let base = buffer.baseAddress else { return true }
            let alpha = format.bytesPerPixel * (format.channels - 1) / format.channels
            return (0..<rowsWritten).allSatisfy { y in
                let (start, advance) = line(y)
                return (0..<stored.width).allSatisfy { x in
                    let pixel = base + start + x * advance + alpha
                    return format.isDeep
                        ? pixel.loadUnaligned(as: UInt16.self) == .max : pixel.load(as: UInt8.self) == .max
                }
            }
        }
    }

    /// Of some thousands of pixels, all over what has been written.
    private func meanOfWritten<Sample: PixelSample>(_ sample: Sample.Type) -> [Int] {
        let (down, across) = (max(1, rowsWritten / 64), max(1, stored.width / 64))
        var sums = [Int](repeating: 0, count: format.channels)
        var count = 0
        bytes.withUnsafeBytes { buffer in
            guard let base = buffer.baseAddress else { return }
            for y in stride(from: rowsWritten - 1, through: 0, by: -down) {
                let (start, advance) = line(y)
                for x in stride(from: 0, to: stored.width, by: across) {
                    let pixel = Samples<Sample>(base + start + x * advance)
                    for channel in sums.indices { sums[channel] += Int(pixel[channel]) }
                    count += 1
                }
            }
        }
        return sums.map { ($0 + count / 2) / max(1, count) }
    }
}
