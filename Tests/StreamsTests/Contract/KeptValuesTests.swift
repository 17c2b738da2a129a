import Streams
import StreamsTesting
import Testing

@Suite("What a stream holds of its values and its subscriber")
struct KeptValuesTests {
    final class Token: Sendable {}

    typealias Tokens = AnyPublisher<Token, TestError>

    /// An operator that keeps values, or hands them to somebody else before they are delivered.
    struct Keeping: CustomTestStringConvertible, Sendable {
        let name: String
        let make: @Sendable (Tokens, VirtualTimeScheduler) -> any Publisher

        var testDescription: String { name }

        init(_ name: String, _ make: @escaping @Sendable (Tokens, VirtualTimeScheduler) -> any Publisher) {
            self.name = name
            self.make = make
        }
    }

    private static var silent: Tokens { Empty(completeImmediately: false).eraseToAnyPublisher() }

    private static let operators: [Keeping] = [
        Keeping("map") { tokens, _ in tokens.map { $0 } },
        Keeping("buffer") { tokens, _ in tokens.buffer(size: 9, prefetch: .byRequest, whenFull: .dropNewest) },
        Keeping("keepFull") { tokens, _ in tokens.buffer(size: 9, prefetch: .keepFull, whenFull: .dropOldest) },
        Keeping("onBackpressureLatest") { tokens, _ in tokens.onBackpressureLatest() },
        Keeping("flatMap") { tokens, _ in tokens.flatMap { Just($0).setFailureType(to: TestError.self) } },
        Keeping("flatMap 1") { tokens, _ in
            tokens.flatMap(maxPublishers: .max(1)) { Just($0).setFailureType(to: TestError.self) }
        },
        Keeping("merge") { tokens, _ in tokens.merge(with: silent) },
        Keeping("concatMap") { tokens, _ in
            tokens.concatMap { Just($0).setFailureType(to: TestError.self).append(silent) }
        },
        Keeping("switchToLatest") { tokens, _ in
            tokens.map { Just($0).setFailureType(to: TestError.self).append(silent) }.switchToLatest()
        },
        Keeping("append") { tokens, _ in tokens.append(silent) },
        Keeping("zip") { tokens, _ in tokens.zip(silent) },
        Keeping("zipped") { tokens, _ in [tokens, silent].zipped() },
        Keeping("zip, any") { tokens, _ in Publishers.zip(tokens, silent).map { $0.0 } },
        Keeping("combineLatest") { tokens, _ in tokens.combineLatest(silent) },
        Keeping("combinedLatest") { tokens, _ in [tokens, silent].combinedLatest() },
        Keeping("withLatestFrom") { tokens, _ in silent.withLatestFrom(tokens) },
        Keeping("sample") { tokens, _ in tokens.sample(silent) },
        Keeping("prefix(untilOutputFrom:)") { tokens, _ in tokens.prefix(untilOutputFrom: silent) },
        Keeping("amb") { tokens, _ in tokens.amb(silent) },
        Keeping("groupBy") { tokens, _ in tokens.groupBy { ObjectIdentifier($0) }.flatMap { $0 } },
        Keeping("collect") { tokens, _ in tokens.collect(5) },
        Keeping("collect all") { tokens, _ in tokens.collect() },
        Keeping("collect by time") { tokens, scheduler in tokens.collect(.byTime(scheduler, .seconds(1))) },
        Keeping("last") { tokens, _ in tokens.last() },
        Keeping("reduce") { tokens, _ in tokens.reduce([Token]()) { $0 + [$1] } },
        Keeping("scan") { tokens, _ in tokens.scan([Token]()) { $0 + [$1] } },
        Keeping("pairwise") { tokens, _ in tokens.pairwise() },
        Keeping("removeDuplicates") { tokens, _ in tokens.removeDuplicates { $0 === $1 } },
        Keeping("dropLast") { tokens, _ in tokens.dropLast(2) },
        Keeping("min") { tokens, _ in tokens.min { ObjectIdentifier($0) < ObjectIdentifier($1) } },
        Keeping("debounce") { tokens, scheduler in tokens.debounce(for: .seconds(1), scheduler: scheduler) },
        Keeping("throttle") { tokens, scheduler in
            tokens.throttle(for: .seconds(1), scheduler: scheduler, latest: true)
        },
        Keeping("delay") { tokens, scheduler in tokens.delay(for: .seconds(1), scheduler: scheduler) },
        Keeping("timeout") { tokens, scheduler in tokens.timeout(.seconds(1), scheduler: scheduler) },
        Keeping("receive(on:)") { tokens, scheduler in tokens.receive(on: scheduler) },
        Keeping("share") { tokens, _ in tokens.share() },
        Keeping("catch") { tokens, _ in tokens.catch { _ in silent } },
        Keeping("retry") { tokens, _ in tokens.retry(1) },
        Keeping("retryWhen") { tokens, _ in tokens.retryWhen { $0.setFailureType(to: TestError.self) } },
        Keeping("materialize") { tokens, _ in tokens.materialize() },
        Keeping("handleEvents") { tokens, _ in tokens.handleEvents(receiveOutput: { _ in }) },
    ]

    struct Weak: Sendable { weak let token: Token? }

    @Test(
        "Nobody keeps a value after a cancel, though the subscription and the upstream are kept",
        arguments: operators)
    func values(_ keeping: Keeping) {
        for demand in [Subscribers.Demand.none, .max(1), .unlimited] {
            let scheduler = VirtualTimeScheduler()
            let subject = PassthroughSubject<Token, TestError>()
            let link = Recorded<(any Subscription)?>(nil)
            subscribe(to: keeping.make(subject.eraseToAnyPublisher(), scheduler), demand: demand, link: link)
            let tokens = (0..<4).map { _ in
                let token = Token()
                subject.send(token)
                return Weak(token: token)
            }
            link.value?.cancel()
            scheduler.advance(by: .seconds(5))
            #expect(tokens.allSatisfy { $0.token == nil }, "\(keeping.name), \(demand)")
            withExtendedLifetime((subject, link)) {}
        }
    }

    /// Their subscription and what it delivers with hold each other until the end or a cancel.
    private static let circular: Set = [
        "concatMap", "switchToLatest", "groupBy", "collect", "debounce", "throttle", "delay", "share", "retry",
        "retryWhen",
    ]

    @Test(
        "A subscriber is let go of where its subject goes away without a word",
        arguments: operators.filter { !circular.contains($0.name) })
    func subscriber(_ keeping: Keeping) {
        for demand in [Subscribers.Demand.none, .max(1), .unlimited] {
            let isReleased = Recorded(false)
            do {
                let scheduler = VirtualTimeScheduler()
                let subject = PassthroughSubject<Token, TestError>()
                let marker = ReleaseMarker { isReleased.set(true) }
                let publisher = keeping.make(subject.eraseToAnyPublisher(), scheduler)
                subscribe(to: publisher, demand: demand, keeping: marker)
                for _ in 0..<4 { subject.send(Token()) }
                scheduler.advance(by: .milliseconds(1))
            }
            #expect(isReleased.value, "\(keeping.name), \(demand)")
        }
    }

    private func subscribe<P: Publisher>(
        to publisher: P, demand: Subscribers.Demand, link: Recorded<(any Subscription)?>? = nil,
        keeping marker: ReleaseMarker? = nil
    ) {
        publisher.subscribe(
            AnySubscriber<P.Output, P.Failure>(
                receiveSubscription: { subscription in
                    link?.set(subscription)
                    subscription.request(demand)
                },
                receiveValue: { _ in
                    withExtendedLifetime(marker) {}
                    return .none
                },
                receiveCompletion: { _ in }))
    }
}
