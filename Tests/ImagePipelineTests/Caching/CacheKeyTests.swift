import Testing

@testable import ImagePipeline

@Suite("Cache keys")
struct CacheKeyTests {
    @Test("Parts are told apart: no two different lists share a key or a file name")
    func injective() {
        let lists = [["ab", "c"], ["a", "bc"], ["abc"], ["abc", ""], ["", "abc"], [], [""], ["", ""]]
        #expect(Set(lists.map { CacheKey($0) }).count == lists.count)
        #expect(Set(lists.map { CacheKey($0).digest }).count == lists.count)
    }

    @Test("The digest is the SHA-256 of the key's bytes, in hexadecimal")
    func digest() {
        #expect(CacheKey([]).digest == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    }

    @Test("It is that of all parts behind their lengths, of whatever lengths they are")
    func parts() {
        let parts = [0, 1, 47, 48, 49, 240, 247, 248, 249, 256, 300, 1_000].map { count in
            (0..<count).map { UInt8(truncatingIfNeeded: 31 * $0) }
        }
        // By Python's hashlib.
        #expect(CacheKey(parts: parts).digest == "6b9fc6f08bf9d574f764c24f3c97255a4ff8b8ca0714dace42fb687ad881bfe7")
        #expect(
            CacheKey(parts: parts.reversed()).digest
                == "43ff8d3f806bde3cc824424689c056f1e06c7498ed2e9f87615f55a9e13c4cae")
        #expect(
            CacheKey([String](repeating: "word", count: 100)).digest
                == "0f58019cc615ff97556fe9bf7a0d0cbbd5c4beddf050924a97febafa39341f6b")
    }

    @Test("Equal keys have one hash, and different ones are spread by its low bits and by its high ones")
    func hashes() {
        let keys = (0..<4_096).map { CacheKey(["\($0)"]) }
        #expect(keys[7].hashValue == CacheKey(["7"]).hashValue)
        var (low, high) = ([Int](repeating: 0, count: 4_096), [Int](repeating: 0, count: 4_096))
        for key in keys {
            low[key.hashValue & 4_095] += 1
            high[Int(UInt(bitPattern: key.hashValue) >> 52)] += 1
        }
        // Of 4,096 balls in as many boxes, thirteen in one are expected once in a million runs.
        #expect(low.allSatisfy { $0 < 13 } && high.allSatisfy { $0 < 13 })
    }
}
