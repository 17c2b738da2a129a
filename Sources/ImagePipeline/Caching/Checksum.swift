/// A checksum of 64 bits over bytes that come in pieces: tells what was written from what was torn, overwritten or has flipped since.
///
/// It runs at the pace at which memory is read, ten times that of a CRC, as a body is checked whenever it is found. Eight lanes in turn take
/// 16 bytes each and fold the product of 64 by 64 bits, the step of wyhash: whatever happens to a body, the chance that its checksum stays is
/// about one in 2^64. Whoever means harm can make it stay, but can also write an entry that is right.
struct Checksum {
    private typealias Lanes = (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)

    /// The bytes that all lanes take in turn. Pieces of a multiple of it are not copied.
    private static let turn = 128
    private static let multiplier: UInt64 = 0xA076_1D64_78BD_642F

    private var lanes: Lanes = (
        0x9E37_79B9_7F4A_7C15, 0x3C6E_F372_FE94_F82A, 0xDAA6_6D2C_7DDF_743F, 0x78DD_E6E5_FD29_F054,
        0x1715_609E_7C74_6C69, 0xB54C_DA57_FBBE_E87E, 0x5384_5411_7B09_6493, 0xF1BB_CDCA_FA53_E0A8
    )
    /// The bytes that do not fill a turn yet, and zeros.
    private var rest = SIMD16<UInt64>()
    private var count = 0

    /// Creates the checksum of bytes at hand, to be gone on with.
    init(_ bytes: [UInt8] = []) {
        append(bytes)
    }

    mutating func append(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { append($0) }
    }

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        let filled = count % Self.turn
        count += bytes.count
        var start = 0
        if filled > 0 {
            start = min(Self.turn - filled, bytes.count)
            keep(bytes[..<start], at: filled)
            guard filled + start == Self.turn else { return }
            takeRest()
            rest = SIMD16()
        }
        let end = bytes.count - (bytes.count - start) % Self.turn
        take(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
        keep(bytes[end...], at: 0)
    }

    /// The checksum of what was appended so far.
    var value: UInt64 {
        var whole = self
        if count % Self.turn > 0 { whole.takeRest() }
        // Zeros that were appended are told by the count from those that were not.
        var value = UInt64(count)
        withUnsafeBytes(of: whole.lanes) { lanes in
            for lane in lanes.bindMemory(to: UInt64.self) { value = Self.fold(value ^ Self.multiplier, lane ^ value) }
        }
        return value
    }

    private mutating func keep(_ bytes: Slice<UnsafeRawBufferPointer>, at offset: Int) {
        withUnsafeMutableBytes(of: &rest) { rest in
            UnsafeMutableRawBufferPointer(rebasing: rest[offset...])
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes))
        }
    }

    private mutating func takeRest() {
        let rest = rest
        withUnsafeBytes(of: rest) { take($0) }
    }

    /// Takes a multiple of a turn.
    private mutating func take(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress else { return }
        Self.take(
            start, bytes.count, &lanes.0, &lanes.1, &lanes.2, &lanes.3, &lanes.4, &lanes.5, &lanes.6, &lanes.7)
    }

    /// Lanes by themselves, and not inlined: of lanes that stand side by side the compiler makes vectors, which cannot be multiplied like
    /// this and are taken apart and put together again for each product. That takes three times as long.
    @inline(never)
    private static func take(
        _ start: UnsafeRawPointer, _ count: Int, _ a: inout UInt64, _ b: inout UInt64, _ c: inout UInt64,
        _ d: inout UInt64, _ e: inout UInt64, _ f: inout UInt64, _ g: inout UInt64, _ h: inout UInt64
    ) {
        var place = start
        let end = start + count
        @inline(__always) func step(_ lane: inout UInt64, _ offset: Int) {
            let left = UInt64(littleEndian: place.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            let right = UInt64(littleEndian: place.loadUnaligned(fromByteOffset: offset &+ 8, as: UInt64.self))
            lane = fold(left ^ multiplier, right ^ lane)
        }
        while place < end {
            step(&a, 0)
            step(&b, 16)
            step(&c, 32)
            step(&d, 48)
            step(&e, 64)
            step(&f, 80)
            step(&g, 96)
            step(&h, 112)
            place += turn
        }
    }

    @inline(__always)
    private static func fold(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = left.multipliedFullWidth(by: right)
        return product.high ^ product.low
    }
}
