import TestSupport
import Testing

@testable import ImagePipeline

@Suite("A table of places by hash")
struct PlaceTableTests {
    @Test(
        "It finds what a dictionary finds, however few bits the hashes differ in",
        arguments: [~0, 0x7, 0x3F0, 0x7_0000_0000_0000, 0])
    func model(bits: Int) {
        let seed = UInt64.random(in: .min ... .max)
        var random = SeededGenerator(seed: seed)
        var table = PlaceTable()
        var hashes: [Int: Int] = [:]
        for step in 0..<2_000 {
            let place = Int.random(in: 0..<60, using: &random)
            if let hash = hashes[place] {
                #expect(table.place(hash) { $0 == place } == place, "seed \(seed), step \(step)")
                var found: Set<Int> = []
                _ = table.place(hash) { place in
                    found.insert(place)
                    return false
                }
                #expect(found.isSuperset(of: hashes.filter { $0.value == hash }.keys), "seed \(seed), step \(step)")
                #expect(found.isSubset(of: hashes.keys), "seed \(seed), step \(step)")
                // More come than go until the table has grown, then it empties.
                guard step % 1_000 > 500 || step % 3 == 0 else { continue }
                table.remove(place, hash)
                hashes[place] = nil
                #expect(table.place(hash) { $0 == place } == nil, "seed \(seed), step \(step)")
            } else if step % 1_000 <= 500 {
                let hash = Int.random(in: .min ... .max, using: &random) & bits
                #expect(table.place(hash) { $0 == place } == nil, "seed \(seed), step \(step)")
                table.insert(place, hash)
                hashes[place] = hash
            }
        }
    }

    @Test("It grows with what is in it, not with what has come and gone")
    func room() {
        var table = PlaceTable()
        for number in 0..<2_000 {
            if number >= 10 { table.remove(number - 10, (number - 10) &* 31) }
            table.insert(number, number &* 31)
        }
        #expect(table.slots.count == 16)
        #expect((1_990..<2_000).allSatisfy { number in table.place(number &* 31) { $0 == number } == number })
        #expect(table.slots.count { $0.place >= 0 } == 10)
    }
}
