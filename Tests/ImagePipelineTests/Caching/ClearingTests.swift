import Files
import Synchronization
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("Clearing a disk cache")
struct ClearingTests {
    private let directory = TemporaryDirectory()

    @Test(
        "Nothing is left of empty files either, as a power loss leaves them, whatever their time",
        arguments: [0, 1_000, 3_000])
    func empty(time: Int) throws {
        let cache = DiskCache(directory: directory.path) { .seconds(1_000) }
        for name in ["torn", "too"] {
            let file = try FileDescriptor(opening: cache.path(of: CacheKey([name])), O_WRONLY | O_CREAT)
            file.setTimes(lastUse: .seconds(time), change: .seconds(time))
        }
        cache.removeAll()
        #expect(directory.names.isEmpty)
    }

    @Test("What is removed because somebody wants it gone is no eviction, unless it is for its age")
    func evictions() {
        let clock = Atomic(1_000)
        let cache = DiskCache(directory: directory.path) { .seconds(clock.load(ordering: .relaxed)) }
        for number in 0..<3 { cache.store([1], for: CacheKey(["\(number)"])) }
        cache.removeAll()
        #expect(directory.names.isEmpty)
        #expect(cache.statistics.evictions == 0)
        cache.store([1], for: CacheKey(["old"]))
        clock.add(10, ordering: .relaxed)
        cache.removeAll(olderThan: .seconds(10))
        #expect(cache.statistics.evictions == 1)
    }
}
