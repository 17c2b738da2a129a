/// sRGB's curve for samples of 8 bits, to light and back. Light is 0 to 255, as alpha is.
final class LinearLight: Sendable {
    static let tables = LinearLight()

    /// Parts of a unit of light, each of which lies within two samples at most: at its steepest the curve has one for every
    /// 1/12.92.
    private static let parts = 16

    /// The light of each sample.
    private let light: [Float]
    /// From how much light on a sample is the nearest one; the last is that of none.
    private let thresholds: [Float]
    /// The sample nearest to where each part begins.
    private let samples: [UInt8]

    private init() {
        func light(_ sample: Double) -> Double { 255 * SRGBCurve.light(sample / 255) }
        self.light = (0...255).map { Float(light(Double($0))) }
        let thresholds = [-Float.infinity] + (1...255).map { Float(light(Double($0) - 0.5)) } + [.infinity]
        var sample: UInt8 = 0
        samples = (0...(255 * Self.parts)).map { part in
            while thresholds[Int(sample) + 1] <= Float(part) / Float(Self.parts) { sample += 1 }
            return sample
        }
        self.thresholds = thresholds
    }

    /// Calls `body` with the tables where loops can have them.
    @inline(__always)
    func withLoops<Result>(_ body: (Loops) -> Result) -> Result {
        light.withUnsafeBufferPointer { light in
            thresholds.withUnsafeBufferPointer { thresholds in
                samples.withUnsafeBufferPointer { samples in
                    body(Loops(light: light, thresholds: thresholds, samples: samples))
                }
            }
        }
    }

    struct Loops: LightCoding {
        fileprivate let light: UnsafeBufferPointer<Float>
        fileprivate let thresholds: UnsafeBufferPointer<Float>
        fileprivate let samples: UnsafeBufferPointer<UInt8>

        @inline(__always)
        func light(_ sample: UInt8) -> Float { light[Int(sample)] }

        /// The sample nearest to so much light, whatever the number.
        @inline(__always)
        func sample(_ light: Float) -> UInt8 {
            guard light > 0 else { return 0 }
            let part = Int32(min(light, 255) * Float(LinearLight.parts))
            let low = samples[Int(part)]
            return light >= thresholds[Int(low) + 1] ? low &+ 1 : low
        }
    }
}
