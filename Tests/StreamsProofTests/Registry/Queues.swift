import Streams
import StreamsTesting

/// `create` with two upstreams that send on what they get.
private func createdOfTwo(
    _ strategy: BackpressureStrategy<TestFailure>,
    sends: @escaping @Sendable (Emitter<Int, TestFailure>) -> Bool = { _ in true }
) -> @Sendable ([Upstream]) -> AnyPublisher<Int, TestFailure> {
    { upstreams in
        .create(strategy) { emitter in
            let sinks = upstreams.map { upstream in
                upstream.sink(
                    receiveCompletion: { emitter.send(completion: $0) },
                    receiveValue: { if sends(emitter) { emitter.send($0) } })
            }
            return Disposable { for sink in sinks { sink.cancel() } }
        }
    }
}

/// A subject that two upstreams send to; it lives as long as its subscription.
private func subjectOfTwo<S: Subject>(_ make: @escaping @Sendable () -> S)
    -> @Sendable ([Upstream]) -> AnyPublisher<
        Int, TestFailure
    > where S.Output == Int, S.Failure == TestFailure
{
    { upstreams in
        Deferred {
            let subject = make()
            let links = upstreams.map { $0.subscribe(subject) }
            return subject.handleEvents(receiveCancel: { withExtendedLifetime(links) {} })
        }.eraseToAnyPublisher()
    }
}

/// `create` as an operator: what the upstream sends is sent on.
private func created(
    _ strategy: BackpressureStrategy<TestFailure>,
    sends: @escaping @Sendable (Emitter<Int, TestFailure>) -> Bool = { _ in true }
) -> @Sendable (Upstream) -> AnyPublisher<Int, TestFailure> {
    { upstream in
        .create(strategy) { emitter in
            upstream.sink(
                receiveCompletion: { emitter.send(completion: $0) },
                receiveValue: { if sends(emitter) { emitter.send($0) } })
        }
    }
}

extension Entry {
    /// An operator that keeps some of the values that nobody has requested, and drops others.
    fileprivate init<P: Publisher>(
        _ names: String, _ label: String, _ queue: QueueModel<Int>, _ traits: OperatorTraits = [],
        make: @escaping @Sendable (Upstream) -> P
    ) where P.Output == Int {
        // While everything is requested nothing is kept or dropped.
        let property = OperatorProperty<Int>(label, [.dependsOnDemand, traits], model: identity, make: make)
        // It takes everything of the upstream; one that is subscribed to inside `create`'s closure, or while it is being
        // connected, can be cancelled when that has returned.
        self.init(
            names, property, except: .keepsEverything, counting: queue.limit == .max ? all : nil, queue: queue,
            keepingOrder: true)
    }
}

extension Registry {
    /// Operators that keep what nobody has requested: exactly what they keep and drop.
    static let queues: [Entry] = [
        Entry("buffer", "buffer, dropping the newest", QueueModel(keeping: 2, .dropNewest)) {
            $0.buffer(size: 2, prefetch: .byRequest, whenFull: .dropNewest)
        },
        Entry("buffer", "buffer, dropping the oldest", QueueModel(keeping: 1, .dropOldest)) {
            $0.buffer(size: 1, prefetch: .byRequest, whenFull: .dropOldest)
        },
        Entry("buffer", "buffer, failing", QueueModel(keeping: 1, .fail("full"))) {
            $0.buffer(size: 1, prefetch: .byRequest, whenFull: .customError { TestFailure("full") })
        },
        Entry("buffer", "buffer that keeps nothing, kept full", QueueModel(keeping: 0, .fail("full"))) {
            $0.buffer(size: 0, prefetch: .keepFull, whenFull: .customError { TestFailure("full") })
        },
        Entry("onBackpressureDrop", "onBackpressureDrop", QueueModel(keeping: 0)) { $0.onBackpressureDrop() },
        Entry("onBackpressureLatest", "onBackpressureLatest", QueueModel(keeping: 1, .dropOldest)) {
            $0.onBackpressureLatest()
        },
        Entry("create", "create, unbounded", QueueModel(), make: created(.unbounded)),
        Entry("create", "create, buffer(2)", QueueModel(keeping: 2, .dropOldest), make: created(.buffer(2))),
        Entry("create", "create, latest", QueueModel(keeping: 1, .dropOldest), make: created(.latest)),
        Entry("create", "create, dropNewest", QueueModel(keeping: 0), make: created(.dropNewest)),
        Entry(
            "create", "create, fail", QueueModel(keeping: 0, .fail("full")), .connectsEarly,
            make: created(.fail(TestFailure("full")))),
        Entry(
            "create", "create, sending while something is requested", QueueModel(keeping: 0),
            make: created(.fail(TestFailure("full")), sends: { $0.requested > .none })),
        Entry("ReplaySubject", "ReplaySubject", QueueModel()) {
            $0.multicast(subject: ReplaySubject<Int, TestFailure>(bufferSize: 0)).autoconnect()
        },
        Entry(fed: "create", "create of two, unbounded", QueueModel(), make: createdOfTwo(.unbounded)),
        Entry(
            fed: "create", "create of two, buffer(1)", QueueModel(keeping: 1, .dropOldest),
            make: createdOfTwo(.buffer(1))),
        Entry(fed: "create", "create of two, latest", .newest, make: createdOfTwo(.latest)),
        Entry(fed: "create", "create of two, dropNewest", .nothing, make: createdOfTwo(.dropNewest)),
        Entry(
            fed: "create", "create of two, fail", QueueModel(keeping: 0, .fail("full")),
            make: createdOfTwo(.fail(TestFailure("full")))),
        Entry(
            fed: "create", "create of two, sending while something is requested", .nothing,
            make: createdOfTwo(.fail(TestFailure("full")), sends: { $0.requested > .none })),
        Entry(
            fed: "PassthroughSubject", "PassthroughSubject", QueueModel(keeping: 0, waitsForDelivery: true),
            make: subjectOfTwo { PassthroughSubject<Int, TestFailure>() }),
        Entry(
            fed: "CurrentValueSubject", "CurrentValueSubject", startingWith: [7],
            QueueModel(keeping: 1, .dropOldest, overtaking: .anyEnd, waitsForDelivery: true),
            make: subjectOfTwo { CurrentValueSubject<Int, TestFailure>(7) }),
        Entry(
            fed: "ReplaySubject", "ReplaySubject", QueueModel(),
            make: subjectOfTwo { ReplaySubject<Int, TestFailure>(bufferSize: 2) }),
        Entry(subject: "PassthroughSubject") { PassthroughSubject<Int, Never>() },
        Entry(subject: "CurrentValueSubject") { CurrentValueSubject<Int, Never>(7) },
        Entry(subject: "ReplaySubject") { ReplaySubject<Int, Never>(bufferSize: 2) },
        Entry(pulling: "create", "create, sending two values and then as much as is requested", eager: 2) { next in
            AnyPublisher<Int, Never>.create { emitter in
                for _ in 0..<2 { if let value = next() { emitter.send(value) } }
                emitter.onRequest { demand in
                    for _ in 0..<(demand.max ?? .max) {
                        guard let value = next() else { return emitter.onComplete() }
                        emitter.send(value)
                    }
                }
                return Disposable()
            }
        },
        Entry(pulling: "create", "create, sending as long as something is requested") { next in
            AnyPublisher<Int, Never>.create { emitter in
                emitter.onRequest { _ in
                    while emitter.requested > .none {
                        guard let value = next() else { return emitter.onComplete() }
                        emitter.send(value)
                    }
                }
                return Disposable()
            }
        },
        Entry(pulling: "create", "create, sending as much as is requested") { next in
            AnyPublisher<Int, Never>.create { emitter in
                emitter.onRequest { demand in
                    for _ in 0..<(demand.max ?? .max) {
                        guard let value = next() else { return emitter.onComplete() }
                        emitter.send(value)
                    }
                }
                return Disposable()
            }
        },
    ]
}
