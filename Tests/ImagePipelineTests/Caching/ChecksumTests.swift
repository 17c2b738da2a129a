import CChecksum
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("Checksum of cache entries")
struct ChecksumTests {
    private func bytes(_ count: Int, using generator: inout SeededGenerator) -> [UInt8] {
        (0..<count).map { _ in .random(in: .min ... .max, using: &generator) }
    }

    @Test("It does not depend on the pieces in which the bytes come")
    func pieces() {
        var generator = SeededGenerator()
        let seed = generator.seed
        for _ in 0..<300 {
            let whole = bytes(Int.random(in: 0...1_500, using: &generator), using: &generator)
            var (checksum, rest) = (Checksum(), whole[...])
            while !rest.isEmpty {
                let count = [0, 1, 16, 127, 128, 129, 256, 500].randomElement(using: &generator) ?? 0
                checksum.append(Array(rest.prefix(count)))
                rest = rest.dropFirst(count)
            }
            #expect(checksum.value == Checksum(whole).value, "seed \(seed)")
        }
    }

    @Test("No one flipped bit and no two leave it as it was")
    func flippedBits() {
        var generator = SeededGenerator()
        let seed = generator.seed
        // More than one turn of all lanes, and a few bytes.
        var bytes = bytes(133, using: &generator)
        let whole = Checksum(bytes).value
        var values: Set<UInt64> = [whole]
        func flip(_ bit: Int) { bytes[bit / 8] ^= 1 << UInt8(bit % 8) }
        let bits = 0..<bytes.count * 8
        for bit in bits {
            flip(bit)
            values.insert(Checksum(bytes).value)
            flip(bit)
        }
        #expect(values.count == bits.count + 1, "seed \(seed)")
        for _ in 0..<20_000 {
            let pair = (bits.randomElement(using: &generator) ?? 0, bits.randomElement(using: &generator) ?? 0)
            if pair.0 == pair.1 { continue }
            flip(pair.0)
            flip(pair.1)
            #expect(Checksum(bytes).value != whole, "seed \(seed)")
            flip(pair.0)
            flip(pair.1)
        }
    }

    @Test("Zeros in place of a block, a block at another's place, and zeros at the end change it")
    func blocks() {
        var generator = SeededGenerator()
        let seed = generator.seed
        for _ in 0..<500 {
            let whole = bytes(2_048, using: &generator)
            let size = [1, 8, 16, 128, 512].randomElement(using: &generator) ?? 1
            let places = (0..<2).map { _ in Int.random(in: 0..<2_048 / size, using: &generator) * size }
            var zeroed = whole
            zeroed.replaceSubrange(places[0]..<places[0] + size, with: [UInt8](repeating: 0, count: size))
            var swapped = whole
            swapped.replaceSubrange(places[0]..<places[0] + size, with: whole[places[1]..<places[1] + size])
            swapped.replaceSubrange(places[1]..<places[1] + size, with: whole[places[0]..<places[0] + size])
            for changed in [zeroed, swapped, whole + [UInt8](repeating: 0, count: size)] where changed != whole {
                #expect(Checksum(changed).value != Checksum(whole).value, "seed \(seed)")
            }
        }
        let zeros = (0..<600).map { Checksum([UInt8](repeating: 0, count: $0)).value }
        #expect(Set(zeros).count == zeros.count)
    }

    @Test(
        "Where a half of what a lane multiplies is 0, 1 or as large as can be, a flipped bit in the other half changes it"
    )
    func extremeHalves() {
        for lane in 0..<16 {
            let start = UInt64(lane + 1) &* 0x9E37_79B9_7F4A_7C15
            for half in [0, 1, 0xFFFF_FFFF] as [UInt64] {
                for isUpper in [false, true] {
                    var words = [UInt64](repeating: 0, count: 32)
                    let whole = isUpper ? half << 32 | 0x1234_5678 : 0x1234_5678 << 32 | half
                    words[lane] = start ^ whole
                    let before = Checksum(words.withUnsafeBytes { Array($0) }).value
                    for bit in 0..<64 {
                        words[lane] ^= 1 << UInt64(bit)
                        let after = Checksum(words.withUnsafeBytes { Array($0) }).value
                        #expect(after != before, "lane \(lane), \(half), bit \(bit)")
                        words[lane] ^= 1 << UInt64(bit)
                    }
                }
            }
        }
    }

    @Test("It is the same on a processor without wide vectors")
    func withoutWideVectors() {
        var generator = SeededGenerator()
        let seed = generator.seed
        let bytes = bytes(100 * Int(CCHECKSUM_TURN), using: &generator)
        var lanes = (0..<2).map { _ in (0..<16).map { UInt64($0) &* 0x9E37_79B9_7F4A_7C15 } }
        cchecksum_take(&lanes[0], bytes, 100)
        cchecksum_take_plain(&lanes[1], bytes, 100)
        #expect(lanes[0] == lanes[1], "seed \(seed)")
    }

    @Test("It is what it was when the format's version was given to it")
    func knownValues() {
        let values = [0, 1, 128, 1_000].map { count in
            Checksum((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }).value
        }
        #expect(
            values == [
                15_483_564_789_906_835_806, 6_703_675_527_676_278_916, 11_734_273_449_355_862_787,
                1_201_270_249_674_830_518,
            ])
    }
}
