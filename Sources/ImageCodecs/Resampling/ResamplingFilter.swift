/// The filter that weights samples when a picture's size changes. When it becomes smaller, each filter is widened by
/// the ratio, so that it is also the low-pass that the reduction needs; only `nearest` takes single samples.
public enum ResamplingFilter: String, Sendable, Hashable, CaseIterable {
    /// A windowed sinc of three lobes: the sharpest, with slight ringing at edges.
    case lanczos3
    /// Mitchell and Netravali's cubic (B = C = 1/3): hardly any ringing, a little softer.
    case mitchell
    /// A triangle: linear interpolation when enlarging.
    case bilinear
    /// The mean of the area that a sample covers, to fractions of a pixel.
    case box
    /// The sample at the centre: no new colours, and aliasing.
    case nearest

    /// How far the window reaches from its centre, in source samples, for so many source samples per output sample.
    func radius(ratio: Double) -> Double {
        switch self {
        case .lanczos3: 3 * max(1, ratio)
        case .mitchell: 2 * max(1, ratio)
        case .bilinear: max(1, ratio)
        case .box: ratio / 2
        case .nearest: 0
        }
    }

    /// Whether the curve has no steps and no corners.
    var isSmooth: Bool { self == .lanczos3 || self == .mitchell }

    /// Whether the weights are meant for what a photo shows, and are corrected where samples are means already.
    var isCorrected: Bool { self != .box && self != .nearest }
}

/// The weights of a filter at samples next to each other.
struct KernelRow {
    private let filter: ResamplingFilter
    private let ratio: Double
    private var lanczos: LanczosRow?
    private var others: [Double] = []

    /// - Parameters:
    ///   - ratio: source samples per output sample.
    ///   - count: samples at most.
    init(_ filter: ResamplingFilter, ratio: Double, count: Int) {
        self.filter = filter
        self.ratio = ratio
        if filter == .lanczos3 {
            lanczos = LanczosRow(step: 1 / max(1, ratio), count: count)
        } else {
            others = [Double](repeating: 0, count: count)
        }
    }

    var values: [Double] { lanczos?.values ?? others }

    /// Computes `values`; the first sample's middle is `start` source samples from the window's centre.
    mutating func sample(from start: Double, count: Int) {
        let widening = max(1, ratio)
        guard lanczos == nil else {
            lanczos?.sample(from: start / widening, count: count)
            return
        }
        for index in 0..<count {
            let distance = start + Double(index)
            others[index] =
                switch filter {
                case .lanczos3, .nearest: 1
                case .mitchell: Self.mitchell(abs(distance / widening))
                case .bilinear: max(0, 1 - abs(distance / widening))
                // What the sample and the window have in common.
                case .box: max(0, min(distance + 0.5, ratio / 2) - max(distance - 0.5, -ratio / 2))
                }
        }
    }

    private static func mitchell(_ x: Double) -> Double {
        if x >= 2 { return 0 }
        if x >= 1 { return ((-7 * x + 36) * x - 60) * x / 18 + 16.0 / 9 }
        return (21 * x - 36) * x * x / 18 + 8.0 / 9
    }
}
