/// Samples that are stored smaller than the picture along one axis, and how they are brought to its size.
struct Enlargement {
    /// 1 or 2.
    let factor: Int
    /// The samples that are stored.
    let count: Int
    /// Whether samples are interpolated as libjpeg does it ("fancy upsampling"): three quarters of the nearest and a quarter of the
    /// next one. Otherwise each is repeated.
    let isSmooth: Bool

    /// The stored samples that one of the picture is made of: the second one for a quarter, if they differ.
    @inline(__always)
    func parts(of index: Int) -> (near: Int, far: Int) {
        let near = min(index / factor, count - 1)
        guard isSmooth, factor == 2 else { return (near, near) }
        return (near, index & 1 == 0 ? max(near - 1, 0) : min(near + 1, count - 1))
    }
}

extension FilterTaps {
    /// Taps on stored samples, which give what `taps` give on those that they are enlarged to.
    init(_ taps: FilterTaps, on stored: Enlargement) {
        guard stored.factor > 1 else {
            self = taps
            return
        }
        var (firsts, counts) = (taps.first, taps.count)
        // Of n samples, at most one and a half more than half, and a neighbour on either side.
        let stride = (taps.stride / 2 + 3 + 3) / 4 * 4
        let weights = [Float](unsafeUninitializedCapacity: taps.first.count * stride) { buffer, count in
            buffer.initialize(repeating: 0)
            count = buffer.count
            taps.weights.withUnsafeBufferPointer { weights in
                for index in taps.first.indices {
                    let start = taps.range.lowerBound + taps.first[index]
                    let end = start + taps.count[index]
                    let low = min(stored.parts(of: start).near, stored.parts(of: start).far)
                    let high = max(stored.parts(of: end - 1).near, stored.parts(of: end - 1).far)
                    (firsts[index], counts[index]) = (low, high - low + 1)
                    let (from, to) = (index * taps.stride - start, index * stride - low)
                    for sample in start..<end {
                        let quarter = weights[from + sample] * 0.25
                        let (near, far) = stored.parts(of: sample)
                        buffer[to + near] += quarter * 3
                        buffer[to + far] += quarter
                    }
                }
            }
        }
        self.init(first: firsts, count: counts, weights: weights, stride: stride)
    }
}
