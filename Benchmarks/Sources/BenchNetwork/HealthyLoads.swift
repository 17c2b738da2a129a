import Dispatch
import Glibc
import ImagePipeline
import LoopbackServer
import Streams
import Synchronization

/// 50,000 small loads from nginx in batches of 20, alone and beside sick hosts: none fails, and none takes longer than ten times the
/// median plus 100 ms.
struct HealthyLoads {
    let server: Server

    private static let count = 50_000
    private static let batch = 20
    static let bytes = 12_000

    /// - Returns: Whether all of that holds.
    func run() throws -> Bool {
        let alone = measure("alone", with: source())
        let sick = try SickHosts(beside: source())
        let beside = measure("beside sick hosts", with: sick.source) { sick.disturb() }
        sick.stop()
        return alone && beside
    }

    private func source() -> HTTPSource {
        var options = TransportOptions()
        options.proxy = .none
        options.resolver = SilentNames()
        return HTTPSource(CurlTransport(options))
    }

    private func measure(_ name: String, with source: HTTPSource, beforeEach disturb: () -> Void = {}) -> Bool {
        let request = ImageRequest(.url("\(server.base(.plain))/\(Self.bytes)"))
        let durations = Mutex<[Duration]>([])
        let failures = Mutex<[LoadError]>([])
        for _ in 0..<Self.count / Self.batch {
            disturb()
            let isOver = DispatchGroup()
            let loads = (0..<Self.batch).map { _ in
                isOver.enter()
                let began = ContinuousClock.now
                return source.events(for: request).sink(
                    receiveCompletion: { completion in
                        let duration = ContinuousClock.now - began
                        durations.withLock { $0.append(duration) }
                        if case .failure(let error) = completion { failures.withLock { $0.append(error) } }
                        isOver.leave()
                    }, receiveValue: { _ in })
            }
            isOver.wait()
            withExtendedLifetime(loads) {}
        }
        let sorted = durations.withLock { $0.sorted() }
        let failed = failures.withLock { $0 }
        let (median, longest) = (sorted[sorted.count / 2], sorted[sorted.count - 1])
        let limit = median * 10 + .milliseconds(100)
        print("\(sorted.count) loads \(name): median \(median), longest \(longest) of \(limit), \(failed.count) failed")
        if let error = failed.first { print("  the first: \(error)") }
        return longest <= limit && failed.isEmpty
    }
}

/// Loads that get nowhere: names that nobody answers for, bodies that trickle at two bytes a second, and loads that are cancelled.
private final class SickHosts {
    let source: HTTPSource
    private let server: LoopbackServer
    private var stuck: [AnyCancellable] = []
    private var doomed: [AnyCancellable] = []

    init(beside source: HTTPSource) throws {
        self.source = source
        server = try LoopbackServer()
        server.route("/trickle", Reply.resource([UInt8](repeating: 1, count: 12_000)).limited(bytesPerSecond: 2))
        let urls = (0..<64).map { "http://silent\($0).example/" } + repeatElement(server.url("/trickle"), count: 12)
        stuck = urls.map { url in
            source.events(for: ImageRequest(.url(url))).retry(.max).sink(
                receiveCompletion: { _ in }, receiveValue: { _ in })
        }
    }

    /// Begins some loads, and cancels some of those that were begun before.
    func disturb() {
        for _ in 0..<4 {
            let url = Bool.random() ? server.url("/trickle") : "http://silent\(Int.random(in: 0..<1_000)).example/"
            doomed.append(
                source.events(for: ImageRequest(.url(url))).sink(receiveCompletion: { _ in }, receiveValue: { _ in }))
        }
        doomed.shuffle()
        while doomed.count > 20 { doomed.removeLast().cancel() }
    }

    func stop() {
        (stuck + doomed).forEach { $0.cancel() }
        server.stop()
    }
}

/// A resolver that never answers.
private struct SilentNames: HostResolver {
    func addresses(of host: String) -> AnyPublisher<[IPAddress], NameError> {
        Empty(completeImmediately: false).eraseToAnyPublisher()
    }
}
