import Synchronization
import Testing

@testable import ImagePipeline

@Suite("The order of writes")
struct WriteOrderTests {
    /// Keeps the turns of the writes that have begun.
    private final class Writes: Sendable {
        let begun = Mutex<[(name: String, turn: WriteOrder.Turn)]>([])

        var names: [String] { begun.withLock { $0.map(\.name) } }

        func write(_ name: String, at place: WriteOrder.Place?) {
            place?.write { turn in self.begun.withLock { $0.append((name, turn)) } }
        }

        /// Ends the write that has begun first.
        func endFirst() {
            let first = begun.withLock { $0.removeFirst() }
            withExtendedLifetime(first) {}
        }
    }

    @Test("Of one key one write after the other, and none of what is replaced before its time has come")
    func oneAfterTheOther() {
        let order = WriteOrder(now: { .seconds(1) })
        let writes = Writes()
        let loads = (0..<3).map { _ in order.begin(CacheKey(["a"]), of: CacheKey(["resource"])) }
        writes.write("first", at: loads[0].place())
        #expect(writes.names == ["first"])
        writes.write("second", at: loads[1].place())
        writes.write("third", at: loads[2].place())
        #expect(writes.names == ["first"])
        writes.endFirst()
        #expect(writes.names == ["third"])
        writes.endFirst()
        #expect(writes.names.isEmpty)
        writes.write("fourth", at: loads[2].place())
        #expect(writes.names == ["fourth"])
    }

    @Test("Keys of one resource do not wait for each other, and nothing older is written")
    func older() {
        let order = WriteOrder(now: { .seconds(1) })
        let writes = Writes()
        let (first, other) = (
            order.begin(CacheKey(["a"]), of: CacheKey(["resource"])),
            order.begin(CacheKey(["b"]), of: CacheKey(["resource"]))
        )
        let old = first.place()
        writes.write("newest", at: first.place())
        writes.write("old", at: old)
        writes.write("other", at: other.place())
        #expect(writes.names == ["newest", "other"])
        #expect(old?.isNewest == false)
    }
}
