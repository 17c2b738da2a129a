import CChecksum

/// A checksum of 64 bits over bytes that come in pieces: tells what was written from what was torn, overwritten or has flipped since.
///
/// It runs at the pace at which memory is read, far ahead of a CRC, as a body is checked whenever it is found. Sixteen lanes in turn
/// take eight bytes each, and multiply the halves of what they differ in, the step of XXH3; each hands what it was on to another one, so that
/// where a byte stands counts. In the end they are folded by products of 64 by 64 bits, as wyhash does it: whatever happens to a body, the
/// chance that its checksum stays is about one in 2^64. Whoever means harm can make it stay, but can also write an entry that is right.
struct Checksum {
    /// The bytes that all lanes take in turn. Pieces of a multiple of it are not copied.
    private static let turn = Int(CCHECKSUM_TURN)
    private static let multiplier: UInt64 = 0xA076_1D64_78BD_642F

    /// Multiples of the golden ratio: no two lanes do the same with the same word.
    private var lanes: SIMD16<UInt64> =
        SIMD16(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16) &* SIMD16(repeating: 0x9E37_79B9_7F4A_7C15)
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
        for index in whole.lanes.indices {
            value = Self.fold(value ^ Self.multiplier, whole.lanes[index] ^ value)
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
        withUnsafeMutableBytes(of: &lanes) { lanes in
            guard let lanes = lanes.baseAddress?.assumingMemoryBound(to: UInt64.self) else { return }
            cchecksum_take(lanes, bytes.baseAddress, bytes.count / Self.turn)
        }
    }

    @inline(__always)
    private static func fold(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = left.multipliedFullWidth(by: right)
        return product.high ^ product.low
    }
}
