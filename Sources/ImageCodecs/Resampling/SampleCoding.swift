/// How sums become samples.
protocol SampleCoding<Sample> {
    associatedtype Sample: PixelSample
    func sample(_ value: Float) -> Sample
}

/// Sums of samples as they are.
struct PlainCoding<Sample: PixelSample>: SampleCoding {
    @inline(__always)
    func sample(_ value: Float) -> Sample {
        // A sum of a few hundred samples' worth is far inside Int32; the comparison also turns NaN away.
        value > 0 ? Sample(truncatingIfNeeded: Int32(min(value, Sample.largest) + 0.5)) : 0
    }
}

/// Sums of the light that samples stand for.
protocol LightCoding<Sample>: SampleCoding {
    func light(_ sample: Sample) -> Float
}
