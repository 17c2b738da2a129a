import Files
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("The total of a cache directory")
struct SharedTotalTests {
    private let directory = TemporaryDirectory()

    private func total() -> SharedTotal { SharedTotal(directory: directory.path) }

    @Test("It counts in units of 256 bytes, rounded up, for all who look at it")
    func units() {
        let (one, other) = (total(), total())
        #expect(one.value == nil)
        #expect(one.add(300) == nil)
        one.restart(at: 1, since: one.mark())
        #expect(other.value == 256)
        for (size, sum) in [(0, 256), (1, 512), (256, 768), (257, 1_280), (0, 1_280)] {
            #expect(one.add(size) == sum, "\(size)")
            #expect(other.value == sum, "\(size)")
        }
    }

    @Test("Of two who begin it for the first time the first is right")
    func first() {
        let (one, other) = (total(), total())
        one.restart(at: 1_024, since: nil)
        other.restart(at: 8_192, since: nil)
        #expect([one.value, other.value, total().value] == [1_024, 1_024, 1_024])
        #expect(directory.names.isEmpty)
    }

    @Test("Whoever has listed the directory begins it anew, with what was added since, for all")
    func anew() {
        let (one, other) = (total(), total())
        one.restart(at: 1 << 20, since: nil)
        #expect(other.add(256) == 1 << 20 + 256)
        let mark = one.mark()
        #expect(other.add(1_024) == 1 << 20 + 1_280)
        one.restart(at: 2_048, since: mark)
        #expect([one.value, other.value, total().value] == [3_072, 3_072, 3_072])
        #expect(other.add(256) == 3_328)
        #expect(one.value == 3_328)
        #expect(directory.names.isEmpty)
    }

    @Test("Where somebody else has begun it anew since the mark, theirs counts")
    func overtaken() {
        let (one, other) = (total(), total())
        one.restart(at: 1 << 20, since: nil)
        let late = one.mark()
        other.restart(at: 512, since: other.mark())
        one.restart(at: 1 << 16, since: late)
        #expect([one.value, other.value, total().value] == [512, 512, 512])
    }

    @Test("Where somebody is beginning it anew at this moment, theirs counts")
    func meanwhile() throws {
        let one = total()
        one.restart(at: 1_024, since: nil)
        let file = try FileDescriptor.reading("\(directory.path)/\(SharedTotal.name)")
        #expect(try file.tryLock())
        one.restart(at: 512, since: one.mark())
        #expect(total().value == 1_024)
    }

    @Test("Where it cannot be written whoever has listed the directory counts for itself, to the byte")
    func unwritable() throws {
        let path = "\(directory.path)/late"
        let one = SharedTotal(directory: path)
        #expect(one.add(5) == nil)
        one.restart(at: 1_000, since: one.mark())
        #expect([one.value, one.add(300), one.value] == [1_000, 1_300, 1_300])
        #expect(mkdir(path, 0o700) == 0)
        #expect(one.add(1) == 1_301)
        one.restart(at: 512, since: one.mark())
        #expect([one.value, SharedTotal(directory: path).value] == [512, 512])
        // From now on it is unknown where it is gone, since somebody has removed it.
        #expect(unlink("\(path)/\(SharedTotal.name)") == 0)
        #expect(one.add(256) == nil)
    }

    @Test("Where something else takes its place, what is known of it goes on")
    func taken() throws {
        let one = total()
        one.restart(at: 1_024, since: nil)
        #expect(one.add(256) == 1_280)
        let path = "\(directory.path)/\(SharedTotal.name)"
        #expect(unlink(path) == 0 && mkdir(path, 0o700) == 0)
        #expect([one.add(300), one.add(0), one.value] == [1_580, 1_580, 1_580])
    }

    @Test("As much as the limit may be there: beyond it the directory is listed, and what is there counts")
    func limit() {
        let cache = DiskCache(directory: directory.path, limits: .init(totalSize: 25_600))
        func isThere(_ number: Int) -> Bool { access(cache.path(of: CacheKey(["\(number)"])), F_OK) == 0 }
        func store(_ number: Int) {
            cache.store([UInt8](repeating: 7, count: 2_560 - EntryHeader.size), for: CacheKey(["\(number)"]))
        }
        store(0)
        cache.remove(CacheKey(["0"]))
        for number in 1..<10 { store(number) }
        // Up to the limit nobody looks whether as much is there as was written.
        #expect(cache.total.value == 25_600)
        // There are ten of them once it is listed: as many as may be, so that none has to go.
        store(10)
        #expect(cache.total.value == 25_600)
        #expect((1...10).allSatisfy(isThere))
        #expect(cache.statistics.evictions == 0)
        // With one more a tenth of all is free afterwards.
        store(11)
        #expect(cache.total.value == 23_040)
        #expect((1...11).count(where: isThere) == 9)
        #expect(cache.statistics.evictions == 2)
    }
}
