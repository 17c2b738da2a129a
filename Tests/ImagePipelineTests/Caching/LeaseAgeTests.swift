import Files
import Synchronization
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("The ages of leases")
struct LeaseAgeTests {
    private let directory = TemporaryDirectory()
    private let key = CacheKey(["a"])
    /// The wall clock in milliseconds.
    private let clock = Counter(100_000_000)

    private final class Counter: Sendable {
        let value: Atomic<Int>
        init(_ value: Int) { self.value = Atomic(value) }
    }

    private var cache: DiskCache {
        DiskCache(directory: directory.path) { [clock] in .milliseconds(clock.value.load(ordering: .relaxed)) }
    }

    private func pass(_ milliseconds: Int) { clock.value.add(milliseconds, ordering: .relaxed) }

    private func take(for milliseconds: Int = 10_000) throws -> (lease: any StoreLease, isTakeover: Bool)? {
        switch try cache.lease(of: key, for: .milliseconds(milliseconds)) {
        case .granted(let lease, let isTakeover): return (lease, isTakeover)
        case .held, .none: return nil
        }
    }

    @Test(
        "A lease is taken over once it is as old as the time for which it is asked, or is that far ahead and more",
        arguments: [
            (0, false), (1, false), (9_999, false), (10_000, true), (10_001, true), (-1, false), (-10_000, false),
            (-10_001, true),
        ])
    func takeover(age: Int, isOver: Bool) throws {
        #expect(try take()?.isTakeover == false)
        pass(age)
        #expect(try take()?.isTakeover == (isOver ? true : nil))
    }

    @Test(
        "A lease whose file stays locked is given to nobody, and is nobody's when its time is over",
        arguments: [
            (0, true), (9_999, true), (10_000, false), (10_001, false), (-1, true), (-10_000, true), (-10_001, false),
        ])
    func locked(age: Int, isHeld: Bool) throws {
        let cache = cache
        let file = try FileDescriptor(opening: DirectoryLease.path(of: key, in: cache), O_RDWR | O_CREAT)
        #expect(try file.tryLock())
        file.setTimes(lastUse: cache.now(), change: cache.now())
        pass(age)
        switch try cache.lease(of: key, for: .milliseconds(10_000)) {
        case .held: #expect(isHeld)
        case .none: #expect(!isHeld)
        case .granted: Issue.record("it is somebody else's")
        }
        #expect(try file.tryLock(), "it was locked until now")
    }

    @Test("The time that somebody asks for counts, not that of the holder")
    func ownTime() throws {
        #expect(try take(for: 60_000) != nil)
        pass(10_000)
        #expect(try take(for: 10_001) == nil)
        #expect(try take(for: 10_000)?.isTakeover == true)
    }

    @Test("A renewal counts from its moment, and one of a lease that somebody else has is none")
    func renewal() throws {
        let first = try #require(try take())
        pass(9_999)
        try first.lease.renew()
        pass(9_999)
        #expect(try take() == nil)
        pass(1)
        let second = try #require(try take())
        #expect(second.isTakeover)
        pass(9_999)
        try first.lease.renew()
        try first.lease.release()
        #expect(try take() == nil)
        pass(1)
        #expect(try take()?.isTakeover == true)
    }

    @Test("A lease that was released is free at once, and taken over from nobody")
    func release() throws {
        try #require(try take()).lease.release()
        #expect(try take()?.isTakeover == false)
    }

    @Test(
        "A listing leaves the file of a lease for its time and an hour, as well if the clock is set back",
        arguments: [
            (10_000, 3_610_000, true), (10_000, 3_610_001, false), (10_000, -3_610_000, true),
            (10_000, -3_610_001, false), (999, 3_600_000, true), (999, 3_600_001, false),
            (86_400_000, 90_000_000, true), (86_400_000, 90_000_001, false),
        ])
    func listing(time: Int, age: Int, isThere: Bool) throws {
        #expect(try take(for: time) != nil)
        pass(age)
        cache.sweep()
        #expect((access(DirectoryLease.path(of: key, in: cache), F_OK) == 0) == isThere)
    }
}
