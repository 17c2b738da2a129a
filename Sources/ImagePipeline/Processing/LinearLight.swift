#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// sRGB's curve (IEC 61966-2-1, 5.2): from samples of 8 bits to light and back. Light is 0 to 255, as alpha is.
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
        func light(_ sample: Double) -> Double {
            let value = sample / 255
            return 255 * (value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4))
        }
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

    struct Loops: SampleCoding {
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

/// How sums become samples of 8 bits.
protocol SampleCoding {
    func sample(_ value: Float) -> UInt8
}

/// Sums of samples as they are.
struct PlainCoding: SampleCoding {
    @inline(__always)
    func sample(_ value: Float) -> UInt8 {
        // A sum of a few hundred bytes' worth is far inside Int32; the comparison also turns NaN away.
        value > 0 ? UInt8(truncatingIfNeeded: Int32(min(value, 255) + 0.5)) : 0
    }
}
