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
