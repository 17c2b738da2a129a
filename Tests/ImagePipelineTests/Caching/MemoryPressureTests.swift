import Files
import Streams
import StreamsTesting
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("Memory pressure")
struct MemoryPressureTests {
    /// The files of a machine and of one group on it.
    private let root = TemporaryDirectory()

    private func write(_ text: String, _ path: String) throws {
        let parts = path.split(separator: "/").dropLast()
        _ = parts.reduce(root.path) { directory, name in
            mkdir("\(directory)/\(name)", 0o700)
            return "\(directory)/\(name)"
        }
        let file = try FileDescriptor(opening: "\(root.path)/\(path)", O_WRONLY | O_CREAT | O_TRUNC)
        try file.write(Array(text.utf8), at: 0)
    }

    private func cache(of count: Int) -> MemoryCache<Int, Int> {
        let cache = MemoryCache<Int, Int>(costLimit: 1_000)
        for number in 0..<count { cache.insert(number, forKey: number, cost: 1) }
        return cache
    }

    @Test(
        "A cache gives up half of what it has under moderate pressure, all under critical, and nothing once it is cancelled"
    )
    func trims() {
        let cache = cache(of: 100)
        let signal = PassthroughSubject<MemoryPressure, Never>()
        let trimming = cache.trims(on: signal)
        signal.send(.moderate)
        #expect(cache.totalCost == 50)
        signal.send(.critical)
        #expect(cache.count == 0)
        trimming.cancel()
        cache.insert(1, forKey: 1, cost: 1)
        signal.send(.critical)
        #expect(cache.count == 1)
    }

    @Test("A cache is not kept by the signal that trims it")
    func weak() {
        let signal = PassthroughSubject<MemoryPressure, Never>()
        weak var released: MemoryCache<Int, Int>?
        var trimming: AnyCancellable?
        do {
            let cache = cache(of: 1)
            released = cache
            trimming = cache.trims(on: signal)
        }
        #expect(released == nil)
        signal.send(.critical)
        trimming?.cancel()
    }

    @Test(
        "Where the kernel does not tell, the group's memory is looked at in intervals; what files take is no pressure")
    func polling() throws {
        try write("MemTotal: 1000 kB\nMemFree: 10 kB\nMemAvailable: 900 kB\n", "proc/meminfo")
        try write("0::/group\n", "proc/self/cgroup")
        let group = "sys/fs/cgroup/group"
        try write("100000\n", "\(group)/memory.max")
        try write("anon 5\ninactive_file 30000\n", "\(group)/memory.stat")
        let time = VirtualTimeScheduler()
        let recorder = RecordingSubscriber<MemoryPressure, Never>()
        MemoryPressure.signals(checkingEvery: .seconds(2), on: time, root: root.path).subscribe(recorder)
        for (current, count) in [(99_000, 0), (114_999, 0), (115_000, 1), (125_000, 2), (99_000, 2)] {
            try write("\(current)\n", "\(group)/memory.current")
            time.advance(by: .seconds(2))
            #expect(recorder.values.count == count, "\(current)")
        }
        #expect(recorder.values == [.moderate, .critical])
        try write("MemTotal: 1000 kB\nMemFree: 10 kB\nMemAvailable: 20 kB\n", "proc/meminfo")
        time.advance(by: .seconds(2))
        #expect(recorder.values == [.moderate, .critical, .critical], "the machine's counts as well")
        recorder.cancel()
    }

    @Test("Where the kernel tells, nothing is looked at until then, and a signal that is cancelled ends its thread")
    func trigger() throws {
        // A regular file takes a condition, and never says that it is fulfilled.
        try write("some avg10=0.00\n", "proc/pressure/memory")
        try write("MemTotal: 1000 kB\nMemAvailable: 1 kB\n", "proc/meminfo")
        let time = VirtualTimeScheduler()
        let recorder = RecordingSubscriber<MemoryPressure, Never>()
        MemoryPressure.signals(checkingEvery: .seconds(2), on: time, root: root.path).subscribe(recorder)
        time.advance(by: .seconds(10))
        #expect(recorder.values.isEmpty)
        let written = try FileDescriptor.reading("\(root.path)/proc/pressure/memory").read(100, at: 0)
        #expect(written == Array("some 200000 2000000\0".utf8))
        weak var released: PressureTrigger?
        do {
            let trigger = try #require(
                PressureTrigger(paths: ["\(root.path)/none", "\(root.path)/proc/pressure/memory"]))
            released = trigger
            let ended = trigger.times.sink(receiveCompletion: { _ in }, receiveValue: {})
            ended.cancel()
        }
        #expect(comesTrue { released == nil })
        recorder.cancel()
    }

    #if os(Linux)
        @Test(
            "Each time that the kernel tells is a signal, by the memory that is in use then, until it is cancelled",
            .enabled(if: access("/dev/ptmx", R_OK | W_OK) == 0))
        func told() throws {
            // The kernel tells what is urgent of a terminal that is flushed in the way in which it tells of memory.
            let before = terminals
            let trigger = try #require(PressureTrigger(paths: ["/dev/ptmx"]))
            let number = try #require(Set(terminals.keys).subtracting(before.keys).first)
            let place = try #require(terminals[number])
            var isPacket: Int32 = 1
            #expect(ioctl(number, UInt(TIOCPKT), &isPacket) == 0)
            // TIOCSPTLCK, which Swift does not see.
            var isLocked: Int32 = 0
            #expect(ioctl(number, 0x4004_5431, &isLocked) == 0)
            let other = try FileDescriptor(opening: "/dev/pts/\(place)", O_RDWR | O_NOCTTY | O_NONBLOCK)
            let recorder = RecordingSubscriber<Void, Never>(initialDemand: .none)
            trigger.times.subscribe(recorder)
            for count in 1...3 {
                tcflush(other.number, TCIOFLUSH)
                recorder.request(.max(1))
                #expect(comesTrue { recorder.values.count == count })
                // It has been told when it is read.
                var status = [UInt8](repeating: 0, count: 64)
                #expect(read(number, &status, status.count) > 0)
            }
            recorder.cancel()
        }

        /// The terminals that this process has made: their numbers by their descriptors.
        private var terminals: [Int32: UInt32] {
            var found: [Int32: UInt32] = [:]
            for number in 0..<Int32(1_024) {
                var place: UInt32 = 0
                // TIOCGPTN, which Swift does not see.
                if ioctl(number, 0x8004_5430, &place) == 0 { found[number] = place }
            }
            return found
        }
    #endif
}
