import Streams
import StreamsTesting

extension Registry {
    /// Operators that pass everything on: about demand, and for looking on.
    static let flows: [Entry] = [
        Entry(
            "buffer",
            .init(
                "buffer", model: identity, make: { $0.buffer(size: 1_000, prefetch: .byRequest, whenFull: .dropNewest) }
            ),
            except: .keepsEverything, counting: all),
        Entry(
            "buffer",
            .init(
                "buffer, kept full", [.coldOnly, .asksAhead], model: identity,
                make: { $0.buffer(size: 3, prefetch: .keepFull, whenFull: .dropOldest) }),
            counting: all),
        Entry(
            "onBackpressureBuffer",
            .init("onBackpressureBuffer", model: identity, make: { $0.onBackpressureBuffer() }),
            except: .keepsEverything,
            counting: all),
        Entry(
            "onBackpressureDrop",
            .init(
                "onBackpressureDrop", [.dependsOnDemand, .asksAhead], model: identity, make: { $0.onBackpressureDrop() }
            ),
            queue: .nothing),
        Entry(
            "onBackpressureLatest",
            .init("onBackpressureLatest", .dependsOnDemand, model: identity, make: { $0.onBackpressureLatest() }),
            except: .takesEverything, queue: .newest),
        Entry(
            "handleEvents",
            .init(
                "handleEvents", model: identity,
                make: {
                    $0.handleEvents(
                        receiveSubscription: { _ in }, receiveOutput: { _ in }, receiveCompletion: { _ in },
                        receiveCancel: {}, receiveRequest: { _ in })
                })),
        Entry("debug", .init("debug", model: identity, make: { $0.debug("label") { _ in } })),
        Entry("print", .init("print", model: identity, make: { $0.print("", to: Nowhere()) })),
        Entry(
            "breakpoint", .init("breakpoint", model: identity, make: { $0.breakpoint(receiveOutput: { _ in false }) })),
        Entry(
            "breakpointOnError",
            .init(
                "breakpointOnError",
                model: .values { values, end in
                    .init(values, end.map { _ in .finished })
                }, make: { $0.catch { _ in Empty() }.setFailureType(to: TestFailure.self).breakpointOnError() })),
        Entry(
            "checkpoint",
            .init("checkpoint", model: identity, make: { $0.checkpoint("here").mapError(\.failure.asTestFailure) })),
        Entry(
            "contractChecked", .init("contractChecked", model: identity, make: { $0.contractChecked { _ in } }),
            // It is there to let through what is wrong.
            except: [.lateValueIsDropped, .secondSubscriptionIsCancelled]),
        Entry("eraseToAnyPublisher", .init("eraseToAnyPublisher", model: identity, make: { $0.eraseToAnyPublisher() })),
        Entry(
            "receive",
            .init("receive(on: immediate)", model: identity, make: { $0.receive(on: ImmediateScheduler.shared) }),
            counting: all),
        // A timer that runs before whoever sets it has it in his hands.
        Entry(
            "debounce",
            .init(
                "debounce(on: immediate)", .dependsOnDemand, model: identity,
                make: { $0.debounce(for: .seconds(1), scheduler: ImmediateScheduler.shared) }),
            except: .takesEverything, queue: nil, isExact: false),
        Entry(
            "throttle",
            .init(
                "throttle(on: immediate)", .dependsOnDemand, model: identity,
                make: { $0.throttle(for: .seconds(1), scheduler: ImmediateScheduler.shared, latest: true) }),
            except: .takesEverything, queue: nil, isExact: false),
        Entry(
            "subscribe",
            .init("subscribe(on: immediate)", model: identity, make: { $0.subscribe(on: ImmediateScheduler.shared) }),
            counting: all),
    ]
}

private struct Nowhere: TextOutputStream, Sendable {
    mutating func write(_ string: String) {}
}

extension Error {
    fileprivate var asTestFailure: TestFailure { (self as? TestFailure) ?? TestFailure("other") }
}

extension Registry {
    /// Operators that share an upstream among subscribers, here with one.
    static let shares: [Entry] = [
        Entry(
            "share", .init("share", [.dependsOnDemand, .asksAhead], model: identity, make: { $0.share() }),
            queue: .nothing),
        Entry(
            "share", .init("share(replay:)", .dependsOnDemand, model: identity, make: { $0.share(replay: 2) }),
            except: .keepsEverything),
        Entry(
            "makeConnectable autoconnect",
            .init(
                "makeConnectable", .dependsOnDemand,
                model: .values { values, end in .init(values, end.map { _ in .finished }) },
                make: { $0.catch { _ in Empty() }.makeConnectable().autoconnect() }), except: .keepsEverything,
            queue: .nothing),
        Entry(
            "multicast",
            .init(
                "multicast", .dependsOnDemand, model: identity,
                make: { $0.multicast { PassthroughSubject<Int, TestFailure>() }.autoconnect() }),
            except: .keepsEverything, queue: .nothing),
        Entry(
            "multicast",
            .init(
                "multicast(subject:)", .dependsOnDemand, model: identity,
                make: { $0.multicast(subject: PassthroughSubject<Int, TestFailure>()).autoconnect() }),
            except: .keepsEverything, queue: .nothing),
    ]

    /// Publishers without an upstream.
    static let sources: [Entry] = [
        Entry(source: "Just", [1]) { Just(1) },
        Entry(source: "Empty", [Int]()) { Empty<Int, Never>() },
        Entry(source: "Fail", [Int](), .failure) { Fail<Int, TestFailure>(error: TestFailure()) },
        Entry(source: "publisher Sequence", Array(0..<20)) { (0..<20).publisher },
        Entry(source: "Optional", [3]) { Optional(3).publisher },
        Entry(source: "Result", [3]) { Result<Int, TestFailure>.success(3).publisher },
        Entry(source: "Record", [1, 2]) { Record<Int, TestFailure>(output: [1, 2], completion: .finished) },
        Entry(source: "Deferred", [1, 2]) { Deferred { [1, 2].publisher } },
        Entry(source: "Future", [4]) { Future<Int, Never> { $0(.success(4)) } },
        Entry(source: "create", [1, 2, 3]) {
            AnyPublisher<Int, Never>.create { emitter in
                for value in 1...3 { emitter.onNext(value) }
                emitter.onComplete()
                return Disposable()
            }
        },
        Entry(source: "generate", [1, 2, 4, 8], isLazy: true) {
            Publishers.generate(1, while: { $0 < 10 }, next: { 2 * $0 })
        },
        Entry(source: "Using", [1, 2]) {
            Publishers.Using({ 2 }, publisher: { (1...$0).publisher }, dispose: { _ in })
        },
        // A subject's current value waits for demand like any other.
        Entry(source: "CurrentValueSubject", [5], nil) { CurrentValueSubject<Int, Never>(5) },
        Entry(source: "ReplaySubject", [1, 2]) {
            let subject = ReplaySubject<Int, Never>(bufferSize: 3)
            subject.send(1)
            subject.send(2)
            subject.send(completion: .finished)
            return subject
        },
        Entry(source: "timer", [Int](), nil) {
            Publishers.timer(after: .milliseconds(3), on: VirtualTimeScheduler()).map { _ in 0 }
        },
        Entry(source: "interval", [Int](), nil) { Publishers.interval(.milliseconds(3), on: VirtualTimeScheduler()) },
    ]
}
