import Glibc
import ImagePipeline
import Streams
import Synchronization

/// Random loads and cancels for some minutes.
struct Soak {
    let program: String
    let scratch: String

    private static let atOnce = 64
    /// Of each attempt: more than the limits of the transfer in all, and its turn.
    private static let longest = Duration.seconds(60)

    /// - Returns: Whether nothing has grown, and each load has ended once and in its time.
    func run(for time: Duration) throws -> Bool {
        let seed = UInt64.random(in: 0...UInt64.max)
        say("seed \(seed), \(time)")
        var generator = SystemRandomNumberGenerator()
        let loader = makeLoader()
        let tally = Tally()
        var server = try ServerProcess(program, seed: 1)
        var (early, late) = (Holdings(), Holdings())
        var loads: [Load] = []
        let clock = ContinuousClock()
        let start = clock.now
        var nextReport = start + .seconds(10)
        while clock.now - start < time {
            let now = clock.now
            loads.removeAll { load in
                if load.isOver { return true }
                if now >= load.cancelTime { load.cancel(tally) }
                if now - load.start > Self.longest { tally.note(late: load.path) }
                return load.isOver
            }
            while loads.count < Self.atOnce {
                let path = Int.random(in: 0..<Misbehaviour.paths, using: &generator)
                let isCancelled = Int.random(in: 0..<3, using: &generator) == 0
                let load = Load(
                    path, cancelTime: now + (isCancelled ? .milliseconds(Int.random(in: 0...50)) : .seconds(1_000)))
                loads.append(load)
                load.begin(loader, "http://127.0.0.1:\(server.port)/\(path)", tally)
            }
            usleep(1_000)
            guard now >= nextReport else { continue }
            nextReport = now + .seconds(10)
            let holdings = Holdings.now()
            // A third to warm up in, and a third in between.
            if now - start < time / 3 {
                early.raise(to: holdings)
            } else if now - start > time / 3 * 2 {
                late.raise(to: holdings)
            }
            say("\(now - start): \(tally), \(holdings)")
            server = try ServerProcess(program, seed: UInt64.random(in: 0...9, using: &generator))
        }
        for load in loads { load.cancel(tally) }
        return judge(early, late, tally)
    }

    private func judge(_ early: Holdings, _ late: Holdings, _ tally: Tally) -> Bool {
        var faults = tally.faults
        if late.megabytes > early.megabytes * 5 / 4 + 8 { faults.append("memory has grown") }
        if late.threads > early.threads + 4 { faults.append("threads have become more") }
        if late.descriptors > early.descriptors + 16 { faults.append("descriptors have become more") }
        say("first third: \(early); last third: \(late)")
        say("soak: \(tally); \(faults.isEmpty ? "all well" : faults.joined(separator: "; "))")
        return faults.isEmpty
    }

    private func makeLoader() -> ImageLoader {
        var options = TransportOptions()
        options.transfersPerHost = 16
        options.proxy = .none
        options.limits = TransferLimits(
            connect: .seconds(2), stall: .init(bytes: 100, in: .seconds(1)), total: .seconds(4))
        return ImageLoader.standard(
            transport: CurlTransport(options),
            retries: .exponential(maxRetries: 1, first: .milliseconds(20), maximum: .milliseconds(50)),
            disk: DiskCache(directory: scratch, limits: DiskCache.Limits(totalSize: 8 << 20)),
            memory: MemoryCache(costLimit: 1 << 20))
    }
}

/// The outcomes of all loads.
final class Tally: Sendable, CustomStringConvertible {
    private let state = Mutex((finals: 0, failures: 0, cancelled: 0, faults: Set<String>()))

    var faults: [String] { state.withLock { $0.faults.sorted() } }

    var description: String {
        state.withLock { "\($0.finals) images, \($0.failures) failures, \($0.cancelled) cancelled" }
    }

    func noteEnd(isFailure: Bool) {
        state.withLock { if isFailure { $0.failures += 1 } else { $0.finals += 1 } }
    }

    func noteCancel() { state.withLock { $0.cancelled += 1 } }

    func note(late path: Int) { note("path \(path) has taken more than its time") }

    func note(_ fault: String) { state.withLock { _ = $0.faults.insert(fault) } }
}

/// One load, and a check that it ends as it should.
final class Load: Sendable {
    let path: Int
    let start = ContinuousClock.now
    let cancelTime: ContinuousClock.Instant
    private let state = Mutex((ends: 0, isCancelled: false, hasFinal: false))
    private let subscription = SingleAssignmentDisposable()

    init(_ path: Int, cancelTime: ContinuousClock.Instant) {
        self.path = path
        self.cancelTime = cancelTime
    }

    var isOver: Bool { state.withLock { $0.ends > 0 || $0.isCancelled } }

    func begin(_ loader: ImageLoader, _ url: String, _ tally: Tally) {
        let size = PixelSize(width: 40, height: 40)
        subscription.set(
            loader.events(for: ImageRequest(.url(url), as: .fit(size))).sink(
                receiveCompletion: { [self] completion in
                    let isFailure = if case .failure = completion { true } else { false }
                    let fault = state.withLock { state -> String? in
                        state.ends += 1
                        if state.ends > 1 { return "path \(path) has ended twice" }
                        return state.hasFinal == isFailure
                            ? "path \(path) has ended with an image and an error, or neither" : nil
                    }
                    if let fault { tally.note(fault) }
                    tally.noteEnd(isFailure: isFailure)
                },
                receiveValue: { [self] event in
                    let fault = state.withLock { state -> String? in
                        defer { if event.finalValue != nil { state.hasFinal = true } }
                        return state.ends > 0 || state.hasFinal ? "path \(path) has delivered behind its end" : nil
                    }
                    if let fault { tally.note(fault) }
                }))
    }

    func cancel(_ tally: Tally) {
        subscription.cancel()
        state.withLock { $0.isCancelled = true }
        tally.noteCancel()
    }
}
