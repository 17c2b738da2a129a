import CAllocations
import Dispatch
import OpenCombine
import OpenCombineDispatch
import Streams
import Synchronization

/// What a burst costs at least: an array behind a mutex and one scheduled block for whatever has gathered.
private final class BatchedDrain: Sendable {
    private let state = Mutex((values: [Int](), isScheduled: false))
    private let queue: DispatchQueue
    private let receive: @Sendable (Int) -> Void

    init(_ queue: DispatchQueue, _ receive: @escaping @Sendable (Int) -> Void) {
        self.queue = queue
        self.receive = receive
    }

    func send(_ value: Int) {
        let isFirst = state.withLock { state in
            state.values.append(value)
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        if isFirst { queue.async { self.drain() } }
    }

    private func drain() {
        while true {
            let burst = state.withLock { state in
                defer { state.values = [] }
                if state.values.isEmpty { state.isScheduled = false }
                return state.values
            }
            if burst.isEmpty { return }
            for value in burst { receive(value) }
        }
    }
}

func schedulingCases() -> [Case] {
    let count = opaque(100_000)
    // Enough that the threads' start doesn't decide.
    let many = opaque(500_000)
    let subscriptions = opaque(5_000)
    let queue = DispatchQueue(label: "benchmark")
    return [
        Case(
            "receive(on: serial queue)", per: many,
            [
                Subject("batched drain") {
                    let done = DispatchSemaphore(value: 0)
                    let drain = BatchedDrain(queue) { value in
                        keep(value)
                        if value == many - 1 { done.signal() }
                    }
                    for value in 0..<many { drain.send(value) }
                    done.wait()
                },
                Subject("raw queue.async") {
                    let done = DispatchSemaphore(value: 0)
                    for value in 0..<many { queue.async { keep(value) } }
                    queue.async { done.signal() }
                    done.wait()
                },
                Subject("Streams") {
                    let done = DispatchSemaphore(value: 0)
                    let sink = Numbers(sequence: 0..<many).receive(on: queue)
                        .sink(receiveCompletion: { _ in done.signal() }, receiveValue: { keep($0) })
                    done.wait()
                    withExtendedLifetime(sink) {}
                },
                Subject("OpenCombine") {
                    let done = DispatchSemaphore(value: 0)
                    let sink = PeerNumbers(sequence: 0..<many).receive(on: queue.ocombine)
                        .sink(receiveCompletion: { _ in done.signal() }, receiveValue: { keep($0) })
                    done.wait()
                    withExtendedLifetime(sink) {}
                },
                Subject("AsyncStream") {
                    blocking {
                        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
                        Task.detached {
                            for value in 0..<many { continuation.yield(value) }
                            continuation.finish()
                        }
                        for await value in stream { keep(value) }
                    }
                },
            ]),
        Case(
            "subscribe(on: serial queue), per subscription", per: subscriptions,
            [
                Subject("raw queue.async") {
                    let done = DispatchSemaphore(value: 0)
                    for value in 0..<subscriptions {
                        queue.async {
                            keep(value)
                            done.signal()
                        }
                        done.wait()
                    }
                },
                Subject("Streams") {
                    let done = DispatchSemaphore(value: 0)
                    for value in 0..<subscriptions {
                        let sink = Streams.Just(value).subscribe(on: queue)
                            .sink(receiveCompletion: { _ in done.signal() }, receiveValue: { keep($0) })
                        done.wait()
                        withExtendedLifetime(sink) {}
                    }
                },
                Subject("OpenCombine") {
                    let done = DispatchSemaphore(value: 0)
                    for value in 0..<subscriptions {
                        let sink = OpenCombine.Just(value).subscribe(on: queue.ocombine)
                            .sink(receiveCompletion: { _ in done.signal() }, receiveValue: { keep($0) })
                        done.wait()
                        withExtendedLifetime(sink) {}
                    }
                },
            ]),
        Case(
            "subscribe(on: serial queue), all at once, per subscription", per: subscriptions,
            [
                Subject("raw queue.async") {
                    let done = DispatchSemaphore(value: 0)
                    for value in 0..<subscriptions { queue.async { keep(value) } }
                    queue.async { done.signal() }
                    done.wait()
                },
                Subject("Streams") {
                    let done = DispatchSemaphore(value: 0)
                    let sinks = (0..<subscriptions).map { value in
                        Streams.Just(value).subscribe(on: queue).sink { keep($0) }
                    }
                    queue.async { done.signal() }
                    done.wait()
                    withExtendedLifetime(sinks) {}
                },
                Subject("OpenCombine") {
                    let done = DispatchSemaphore(value: 0)
                    let sinks = (0..<subscriptions).map { value in
                        OpenCombine.Just(value).subscribe(on: queue.ocombine).sink { keep($0) }
                    }
                    queue.async { queue.async { queue.async { done.signal() } } }
                    done.wait()
                    withExtendedLifetime(sinks) {}
                },
            ]),
        Case(
            "debounce, per value", per: count,
            [
                Subject("Streams") {
                    let subject = Streams.PassthroughSubject<Int, Never>()
                    let sink = subject.debounce(for: .milliseconds(100), scheduler: queue).sink { keep($0) }
                    for value in 0..<count { subject.send(value) }
                    sink.cancel()
                },
                Subject("OpenCombine") {
                    let subject = OpenCombine.PassthroughSubject<Int, Never>()
                    let sink = subject.debounce(for: .milliseconds(100), scheduler: queue.ocombine).sink { keep($0) }
                    for value in 0..<count { subject.send(value) }
                    sink.cancel()
                },
                Subject("async-algorithms") { asynchronousDebounce(count) },
            ]),
        Case(
            "throttle, per value", per: count,
            [
                Subject("Streams") {
                    let subject = Streams.PassthroughSubject<Int, Never>()
                    let sink = subject.throttle(for: .milliseconds(100), scheduler: queue, latest: true)
                        .sink { keep($0) }
                    for value in 0..<count { subject.send(value) }
                    sink.cancel()
                },
                Subject("OpenCombine") {
                    let subject = OpenCombine.PassthroughSubject<Int, Never>()
                    let sink = subject.throttle(for: .milliseconds(100), scheduler: queue.ocombine, latest: true)
                        .sink { keep($0) }
                    for value in 0..<count { subject.send(value) }
                    sink.cancel()
                },
                Subject("async-algorithms") { asynchronousThrottle(count) },
            ]),
    ]
}
