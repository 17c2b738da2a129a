import CAllocations
import Dispatch
import OpenCombine
import OpenCombineDispatch
import Streams

func subjectToSink() -> [Figure] {
    let count = opaque(100_000)
    return measure(
        "subject → map → filter → sink", per: count,
        [
            (
                "Streams",
                {
                    let subject = Streams.PassthroughSubject<Int, Never>()
                    let sink = subject.map { $0 &+ 1 }.filter { $0 & 3 != 0 }.sink { keep($0) }
                    for value in 0..<count { subject.send(value) }
                    withExtendedLifetime(sink) {}
                }
            ),
            (
                "OpenCombine",
                {
                    let subject = OpenCombine.PassthroughSubject<Int, Never>()
                    let sink = subject.map { $0 &+ 1 }.filter { $0 & 3 != 0 }.sink { keep($0) }
                    for value in 0..<count { subject.send(value) }
                    withExtendedLifetime(sink) {}
                }
            ),
        ])
}

func createToSink() -> [Figure] {
    let count = opaque(100_000)
    return measure(
        "create → sink", per: count,
        [
            (
                "Streams",
                {
                    _ = Streams.AnyPublisher<Int, Never>.create { emitter in
                        for value in 0..<count { emitter.onNext(value) }
                        return Streams.Disposable()
                    }.sink { keep($0) }
                }
            )
        ])
}

func flatMapping() -> [Figure] {
    let side = opaque(1_000)
    return measure(
        "flatMap 1,000 × 1,000", per: side * side,
        [
            (
                "loop",
                {
                    for outer in 0..<side { for inner in 0..<side { keep(outer &+ inner) } }
                }
            ),
            (
                "Streams",
                {
                    _ = Streams.Publishers.Sequence<Range<Int>, Never>(sequence: 0..<side)
                        .flatMap { outer in
                            Streams.Publishers.Sequence<Range<Int>, Never>(sequence: 0..<side).map { outer &+ $0 }
                        }.sink { keep($0) }
                }
            ),
            (
                "OpenCombine",
                {
                    _ = OpenCombine.Publishers.Sequence<Range<Int>, Never>(sequence: 0..<side)
                        .flatMap { outer in
                            OpenCombine.Publishers.Sequence<Range<Int>, Never>(sequence: 0..<side)
                                .map { outer &+ $0 }
                        }.sink { keep($0) }
                }
            ),
        ])
}

func receiveOnQueue() -> [Figure] {
    let count = opaque(100_000)
    let queue = DispatchQueue(label: "benchmark")
    return measure(
        "receive(on: serial queue)", per: count,
        [
            (
                "raw queue.async",
                {
                    let done = DispatchSemaphore(value: 0)
                    for value in 0..<count { queue.async { keep(value) } }
                    queue.async { done.signal() }
                    done.wait()
                }
            ),
            (
                "Streams",
                {
                    let done = DispatchSemaphore(value: 0)
                    let sink = Streams.Publishers.Sequence<Range<Int>, Never>(sequence: 0..<count)
                        .receive(on: queue)
                        .sink(receiveCompletion: { _ in done.signal() }, receiveValue: { keep($0) })
                    done.wait()
                    withExtendedLifetime(sink) {}
                }
            ),
            (
                "OpenCombine",
                {
                    let done = DispatchSemaphore(value: 0)
                    let sink = OpenCombine.Publishers.Sequence<Range<Int>, Never>(sequence: 0..<count)
                        .receive(on: queue.ocombine)
                        .sink(receiveCompletion: { _ in done.signal() }, receiveValue: { keep($0) })
                    done.wait()
                    withExtendedLifetime(sink) {}
                }
            ),
        ])
}
