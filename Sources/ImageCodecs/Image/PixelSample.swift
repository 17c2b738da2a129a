/// The types that samples have.
protocol PixelSample: FixedWidthInteger, UnsignedInteger, SIMDScalar, Codable, Sendable {
    /// `max` as a float.
    static var largest: Float { get }

    /// The sample nearest to one of 16 bits.
    init(deep: UInt16)
    /// The same share of `max`, of 16 bits.
    var deep: UInt16 { get }
}

extension UInt8: PixelSample {
    static var largest: Float { 255 }

    @inline(__always)
    init(deep: UInt16) {
        // Divided by 257, and rounded.
        self.init(truncatingIfNeeded: (UInt32(deep) &* 255 &+ 32_895) >> 16)
    }

    @inline(__always)
    var deep: UInt16 { UInt16(self) &* 257 }
}

extension UInt16: PixelSample {
    static var largest: Float { 65_535 }

    @inline(__always)
    init(deep: UInt16) { self = deep }

    @inline(__always)
    var deep: UInt16 { self }
}

/// Samples in memory, whose address need not be even. The owner of the memory has sized it.
struct Samples<Sample: PixelSample> {
    private let start: UnsafeRawPointer

    @inline(__always)
    init(_ start: UnsafeRawPointer) { self.start = start }

    @inline(__always)
    subscript(index: Int) -> Sample {
        start.loadUnaligned(fromByteOffset: index &* MemoryLayout<Sample>.stride, as: Sample.self)
    }

    /// Eight from one on.
    @inline(__always)
    func eight(from index: Int) -> SIMD8<Sample> {
        start.loadUnaligned(fromByteOffset: index &* MemoryLayout<Sample>.stride, as: SIMD8<Sample>.self)
    }
}

/// The same to write to.
struct MutableSamples<Sample: PixelSample> {
    private let start: UnsafeMutableRawPointer

    @inline(__always)
    init(_ start: UnsafeMutableRawPointer) { self.start = start }

    @inline(__always)
    subscript(index: Int) -> Sample {
        get { start.loadUnaligned(fromByteOffset: index &* MemoryLayout<Sample>.stride, as: Sample.self) }
        nonmutating set {
            start.storeBytes(of: newValue, toByteOffset: index &* MemoryLayout<Sample>.stride, as: Sample.self)
        }
    }

    /// Writes several from one on.
    @inline(__always)
    func store<Vector: SIMD>(_ samples: Vector, at index: Int) where Vector.Scalar == Sample {
        start.storeBytes(of: samples, toByteOffset: index &* MemoryLayout<Sample>.stride, as: Vector.self)
    }
}
