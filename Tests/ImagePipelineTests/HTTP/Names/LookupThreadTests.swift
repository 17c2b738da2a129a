import Files
import Streams
import StreamsTesting
import Synchronization
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("Lookups by the system's call")
struct LookupThreadTests {
    private static var thread: UInt { withUnsafeBytes(of: pthread_self()) { $0.loadUnaligned(as: UInt.self) } }

    @Test(
        "As many lookups as are allowed go on at once, one at least, and no more",
        arguments: [(-1, 1), (0, 1), (1, 1), (2, 2), (4, 4)])
    func limit(limit: Int, width: Int) {
        var lookups = LookupThreads(limit: limit)
        // A thread that has ended leaves its place, and no other one.
        for _ in 0..<3 {
            expect(width, of: lookups)
            #expect(comesTrue { isKnownUniquelyReferenced(&lookups) })
        }
    }

    private func expect(_ width: Int, of lookups: LookupThreads) {
        let entered = Atomic(0)
        let ended = Atomic(0)
        let isOpen = Atomic(false)
        let threads = Mutex<Set<UInt>>([])
        let count = width + 60
        // What is done with an address is done on the thread that has looked it up.
        let handles = (0..<count).map { _ in
            lookups.addresses(of: "127.0.0.1").sink(
                receiveCompletion: { _ in ended.add(1, ordering: .relaxed) },
                receiveValue: { _ in
                    _ = threads.withLock { $0.insert(Self.thread) }
                    entered.add(1, ordering: .relaxed)
                    while !isOpen.load(ordering: .acquiring) { sched_yield() }
                    for _ in 0..<100 { sched_yield() }
                })
        }
        let areAtWork = comesTrue { entered.load(ordering: .relaxed) >= width }
        isOpen.store(true, ordering: .releasing)
        #expect(areAtWork)
        #expect(comesTrue { ended.load(ordering: .relaxed) == count })
        #expect(threads.withLock { $0.count } == width)
        withExtendedLifetime(handles) {}
    }

    @Test("One that is cancelled while it waits is not looked up, and the others are in their order")
    func cancelled() {
        let lookups = LookupThreads(limit: 1)
        let isEntered = Atomic(false)
        let isOpen = Atomic(false)
        let ended = Atomic(0)
        let found = Mutex<[String]>([])
        let handles = (1...5).map { number in
            lookups.addresses(of: "127.0.0.\(number)").sink(
                receiveCompletion: { _ in ended.add(1, ordering: .relaxed) },
                receiveValue: { addresses in
                    found.withLock { $0 += addresses.map(\.description) }
                    isEntered.store(true, ordering: .relaxed)
                    while !isOpen.load(ordering: .acquiring) { sched_yield() }
                })
        }
        #expect(comesTrue { isEntered.load(ordering: .relaxed) })
        handles[2].cancel()
        isOpen.store(true, ordering: .releasing)
        #expect(comesTrue { ended.load(ordering: .relaxed) == 4 })
        #expect(found.withLock { $0 } == ["127.0.0.1", "127.0.0.2", "127.0.0.4", "127.0.0.5"])
    }

    @Test("Where nothing is found the error has the system's own words")
    func reason() {
        let host = "name with spaces"
        var list: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(host, nil, nil, &list)
        if let list { freeaddrinfo(list) }
        guard status != 0, status != EAI_SYSTEM else { return }
        let recorder = RecordingSubscriber<[IPAddress], NameError>()
        LookupThreads(limit: 1).addresses(of: host).subscribe(recorder)
        #expect(recorder.waitForCompletion())
        guard case .failure(let error)? = recorder.completion else {
            Issue.record("found")
            return
        }
        #expect(error.reason == String(cString: gai_strerror(status)))
    }

    @Test("An address that the system names for each kind of socket is one address")
    func once() {
        let recorder = RecordingSubscriber<[IPAddress], NameError>()
        LookupThreads(limit: 1).addresses(of: "localhost").subscribe(recorder)
        #expect(recorder.waitForCompletion())
        let addresses = recorder.values.first ?? []
        #expect(!addresses.isEmpty && Set(addresses).count == addresses.count)
    }

    #if os(Linux)
        @Test("Of what the system has found nothing stays in memory", .disabled(if: Sanitizer.isWatching))
        func memory() async {
            await #expect(processExitsWith: .success) {
                let (lookups, count) = (LookupThreads(limit: 1), 40_000)
                func lookUpAll() {
                    // A few at a time: those that wait take memory, too.
                    for _ in 0..<count / 50 {
                        let ended = Counter()
                        let handles = (0..<50).map { _ in
                            lookups.addresses(of: "127.0.0.1")
                                .sink(receiveCompletion: { _ in ended.add() }, receiveValue: { _ in })
                        }
                        while ended.value < 50 { sched_yield() }
                        withExtendedLifetime(handles) {}
                    }
                }
                lookUpAll()
                let before = residentMemory
                lookUpAll()
                // Of what is found for one the smallest part would be more.
                if residentMemory - before > count * MemoryLayout<addrinfo>.size { exit(1) }
            }
        }
    #endif
}
