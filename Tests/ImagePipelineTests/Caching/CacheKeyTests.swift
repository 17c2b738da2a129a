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
}
