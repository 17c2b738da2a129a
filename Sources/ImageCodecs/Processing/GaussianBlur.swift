/// Blurs a picture with a Gaussian, row by row; its edges are as if their pixels went on.
///
/// A Gaussian is two narrower ones in a row. What the first of them leaves has no fine detail, so that every n-th sample of it,
/// each way, is enough for the second, which also fills in what lies between: both have a dozen weights or so, however large
/// sigma is. Below about 3 there is nothing to leave out, and one Gaussian is applied as it is.
///
/// The difference from the exact Gaussian is less than half of a sample's step, so that a sample is off by one at most,
/// rounding included: each window leaves out a share of 2⋅10⁻⁴ of its weight (2⋅10⁻⁷ for 16 bits), and frequencies that
/// n-th samples mistake for lower ones have e^(-½(πσ/n)²) of their height left: 6⋅10⁻⁵, and 7⋅10⁻⁷.
///
/// Held are the rows of floats that the second Gaussian looks at, and those that the first one is adding up: some forty at most,
/// never the picture.
final class GaussianBlur {
    private let image: Image
    private let format: PixelFormat
    private let channels: Int
    private let rowSamples: Int

    /// Of the rows, and of the columns, that the first Gaussian keeps every n-th of; `nil` where it keeps all as they are.
    private let thinning: (down: FilterTaps, across: FilterTaps)?
    /// From those to all rows, and all columns.
    private let filling: (down: FilterTaps, across: FilterTaps)
    /// Of a single Gaussian across, how many columns beyond each edge it looks at.
    private let margin: Int

    /// Source rows that are added together, so that sums are read and written a quarter as often.
    private static let batch = 4
    /// Vectors of a row that are worked on together, so that the batch's floats stay in the nearest cache.
    private static let strip = 128
    /// Rows of floats end with as many samples of which only the first ones count, so that loops may run beyond them.
    private static let slack = 32

    private let rowVectors: Int
    private let rowsHeld: Int
    private let held: UnsafeMutablePointer<SIMD4<Float>>
    private let batchLines: UnsafeMutablePointer<SIMD4<Float>>
    private let line: UnsafeMutablePointer<Float>
    private let windows: UnsafeMutablePointer<UnsafePointer<Float>>
    private let windowCapacity: Int
    /// Source rows that have been added.
    private var taken = 0
    /// Rows held that have been begun, and that are blurred across: complete.
    private var begun = 0
    private var ready = 0

    /// - Parameter sigma: more than 0.
    init(_ image: Image, sigma: Double) {
        self.image = image
        format = image.format
        channels = format.channels
        rowSamples = image.width * channels
        let (reach, samplesPerSigma) = format.isDeep ? (5.2, 1.7) : (3.7, 1.41)
        let step = Int(sigma / samplesPerSigma)
        if step > 1 {
            let narrow = sigma / 2.0.squareRoot()
            let down = Self.thin(image.height, sigma: narrow, reach: reach, step: step)
            let across = Self.thin(image.width, sigma: narrow, reach: reach, step: step)
            thinning = (down.thinning, across.thinning)
            filling = (down.filling, across.filling)
            margin = 0
            rowsHeld = down.thinning.overlap(batch: Self.batch) + (down.filling.count.max() ?? 0)
        } else {
            let radius = (reach * sigma).rounded(.up)
            thinning = nil
            margin = Int(radius)
            filling = (
                FilterTaps(
                    gaussian: sigma, reach: radius, start: 0, step: 1, output: image.height, source: image.height),
                FilterTaps(
                    gaussian: sigma, reach: radius, start: radius, step: 1, output: 1, source: 2 * margin + 1)
            )
            rowsHeld = (filling.down.count.max() ?? 0) + 1
        }
        rowVectors = (rowSamples + Self.slack) / 4
        held = .allocate(capacity: rowsHeld * rowVectors)
        held.initialize(repeating: .zero, count: rowsHeld * rowVectors)
        batchLines = .allocate(capacity: Self.batch * Self.strip)
        batchLines.initialize(repeating: .zero, count: Self.batch * Self.strip)
        let columns = max(image.width + 2 * margin, thinning?.across.count.count ?? 0)
        line = .allocate(capacity: columns * channels + Self.slack)
        line.initialize(repeating: 0, count: columns * channels + Self.slack)
        windowCapacity = max(filling.down.stride, filling.across.stride)
        windows = .allocate(capacity: windowCapacity)
    }

    deinit {
        held.deallocate()
        batchLines.deallocate()
        line.deallocate()
        windows.deallocate()
    }

    /// The two Gaussians along one axis, and the samples between them: far enough beyond both ends for the second one.
    private static func thin(
        _ count: Int, sigma: Double, reach: Double, step: Int
    ) -> (thinning: FilterTaps, filling: FilterTaps) {
        let margin = Int((reach * sigma / Double(step)).rounded(.up))
        let kept = (count - 1) / step + 2 + 2 * margin
        let thinning = FilterTaps(
            gaussian: sigma, reach: reach * sigma, start: Double(-margin * step), step: Double(step), output: kept,
            source: count)
        let filling = FilterTaps(
            gaussian: sigma / Double(step), reach: reach * sigma / Double(step), start: Double(margin),
            step: 1 / Double(step), output: count, source: kept)
        return (thinning, filling)
    }

    /// Writes the blurred picture, its rows one after the other.
    ///
    /// - Parameter isCancelled: asked before each row that is written, and before each that is read.
    /// - Returns: whether it was never `true`.
    func write(to out: UnsafeMutableRawPointer, isCancelled: () -> Bool) -> Bool {
        let rowBytes = image.width * format.bytesPerPixel
        for y in 0..<image.height {
            let (first, count) = (filling.down.first[y], filling.down.count[y])
            while ready < first + count {
                if isCancelled() { return false }
                take()
            }
            if isCancelled() { return false }
            for index in 0..<count { windows[index] = UnsafePointer(row(first + index)) }
            sum(filling.down, at: y, into: line)
            if format.isDeep {
                RowFilter.store(
                    line, into: MutableSamples<UInt16>(out + y * rowBytes), count: rowSamples, channels: channels)
            } else {
                RowFilter.store(
                    line, into: MutableSamples<UInt8>(out + y * rowBytes), count: rowSamples, channels: channels)
            }
        }
        return true
    }

    private func row(_ index: Int) -> UnsafeMutablePointer<Float> {
        UnsafeMutableRawPointer(held + index % rowsHeld * rowVectors).assumingMemoryBound(to: Float.self)
    }

    /// Sums the `windows`, weighted as one output is.
    private func sum(_ taps: FilterTaps, at index: Int, into out: UnsafeMutablePointer<Float>) {
        taps.weights.withUnsafeBufferPointer { weights in
            guard let weights = weights.baseAddress else { return }
            RowFilter.sum(
                windows, weights: weights + index * taps.stride, of: taps.count[index], into: out, count: rowSamples)
        }
    }

    /// Takes the next source rows.
    private func take() {
        guard let thinning else {
            blurAcross(source: ready, into: row(ready))
            ready += 1
            return
        }
        let count = min(Self.batch, image.height - taken)
        add(count, thinning.down)
        taken += count
        while ready < thinning.down.first.count, thinning.down.first[ready] + thinning.down.count[ready] <= taken {
            let row = row(ready)
            RowFilter.blend(row, into: line, taps: thinning.across, channels: channels)
            RowFilter.blend(line, into: row, taps: filling.across, channels: channels)
            ready += 1
        }
    }

    /// A single Gaussian across a source row.
    private func blurAcross(source y: Int, into row: UnsafeMutablePointer<Float>) {
        let start = line + margin * channels
        image.bytes.withUnsafeBufferPointer { bytes in
            guard let bytes = bytes.baseAddress else { return }
            RowFilter.load(bytes + y * image.bytesPerRow, into: start, count: rowSamples, format: format)
        }
        let last = start + rowSamples - channels
        for column in 1..<(margin + 1) {
            for channel in 0..<channels {
                start[channel - column * channels] = start[channel]
                last[channel + column * channels] = last[channel]
            }
        }
        for index in 0...(2 * margin) { windows[index] = UnsafePointer(line + index * channels) }
        sum(filling.across, at: 0, into: row)
    }

    /// Adds the next source rows to the rows held that look at them.
    private func add(_ count: Int, _ taps: FilterTaps) {
        let first = ready
        while begun < taps.first.count, taps.first[begun] < taken + count {
            UnsafeMutablePointer(held + begun % rowsHeld * rowVectors).update(repeating: .zero, count: rowVectors)
            begun += 1
        }
        image.bytes.withUnsafeBufferPointer { bytes in
            guard let bytes = bytes.baseAddress.map({ $0 + taken * image.bytesPerRow }) else { return }
            for start in stride(from: 0, to: (rowSamples + 3) / 4, by: Self.strip) {
                let samples = min(4 * Self.strip, rowSamples - 4 * start)
                for row in 0..<count {
                    RowFilter.load(
                        bytes + row * image.bytesPerRow + 4 * start * (format.isDeep ? 2 : 1),
                        into: UnsafeMutableRawPointer(batchLines + row * Self.strip)
                            .assumingMemoryBound(to: Float.self), count: samples, format: format)
                }
                let strip = RowFilter.Rows(first: batchLines, stride: Self.strip, count: (samples + 3) / 4)
                var index = first
                while index + 1 < begun {
                    RowFilter.add(
                        strip, to: target(index, start), target(index + 1, start), weights: weights(index, count, taps),
                        weights(index + 1, count, taps))
                    index += 2
                }
                if index < begun {
                    RowFilter.add(strip, to: target(index, start), weights: weights(index, count, taps))
                }
            }
        }
    }

    private func target(_ index: Int, _ start: Int) -> UnsafeMutablePointer<SIMD4<Float>> {
        held + (index % rowsHeld * rowVectors + start)
    }

    /// A row's weights of the batch; zero where it does not look at a source row, or where there is none any more.
    private func weights(_ index: Int, _ count: Int, _ taps: FilterTaps) -> SIMD4<Float> {
        var weights = SIMD4<Float>.zero
        for row in 0..<count {
            let offset = taken + row - taps.first[index]
            if offset >= 0, offset < taps.count[index] { weights[row] = taps.weights[index * taps.stride + offset] }
        }
        return weights
    }
}
