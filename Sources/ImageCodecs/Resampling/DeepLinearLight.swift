/// sRGB's curve for samples of 16 bits, to light and back. Light is 0 to 65,535, as alpha is.
///
/// Only the way to light has a table: a reduction takes it far more often than the way back.
final class DeepLinearLight: Sendable {
    static let table = DeepLinearLight()

    private let light: [Float]

    private init() {
        light = (0...65_535).map { Float(65_535 * SRGBCurve.light(Double($0) / 65_535)) }
    }

    /// Calls `body` with the table where loops can have it.
    @inline(__always)
    func withLoops<Result>(_ body: (Loops) -> Result) -> Result {
        light.withUnsafeBufferPointer { body(Loops(light: $0)) }
    }

    struct Loops: LightCoding {
        fileprivate let light: UnsafeBufferPointer<Float>

        @inline(__always)
        func light(_ sample: UInt16) -> Float { light[Int(sample)] }

        /// The sample nearest to so much light, whatever the number.
        @inline(__always)
        func sample(_ light: Float) -> UInt16 {
            guard light > 0 else { return 0 }
            return UInt16(SRGBCurve.sample(Double(min(light, 65_535)) / 65_535) * 65_535 + 0.5)
        }
    }
}
