import AsyncAlgorithms
import CAllocations
import Dispatch

// What the peers that know only async do, in a file that sees no other library's operators. Values come from a stream
// that another task fills, or, where the case has no producer of its own, from a sequence.

/// A producer and a stream: the nearest thing to a subject.
private func filled(_ count: Int, each: @escaping @Sendable (Int) -> Int = { $0 }) -> AsyncStream<Int> {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    for value in 0..<count { continuation.yield(each(value)) }
    continuation.finish()
    return stream
}

func asynchronousChain(_ count: Int) {
    let increment: @Sendable (Int) async -> Int = { $0 &+ 1 }
    let isWanted: @Sendable (Int) async -> Bool = { $0 & 3 != 0 }
    let triple: @Sendable (Int) async -> Int = { $0 &* 3 }
    blocking {
        var sum = 0
        for await value in (0..<count).async.map(increment).filter(isWanted).map(triple) { sum &+= value }
        keep(sum)
    }
}

func asynchronousScan(_ count: Int) {
    blocking {
        for await value in (0..<count).async.reductions(0, { $0 &+ ($1 & 1) }).removeDuplicates() { keep(value) }
    }
}

func asynchronousFlatMap(_ side: Int) {
    blocking {
        for await value in (0..<side).async.flatMap({ outer in (0..<side).async.map { outer &+ $0 } }) { keep(value) }
    }
}

func asynchronousZip(_ count: Int) {
    blocking {
        for await (a, b) in zip((0..<count).async, (0..<count).async) { keep(a &+ b) }
    }
}

func asynchronousZipOfStreams(_ count: Int) {
    blocking {
        for await (a, b) in zip(filled(count), filled(count)) { keep(a &+ b) }
    }
}

func asynchronousCombineLatest(_ count: Int) {
    blocking {
        for await (a, b) in combineLatest(filled(count), filled(count)) { keep(a &+ b) }
    }
}

func asynchronousMerge(_ count: Int) {
    blocking {
        for await value in merge(filled(count), filled(count)) { keep(value) }
    }
}

/// One buffered stream for each of several readers, as AsyncStream has no fan-out.
func streamsToReaders(_ count: Int, readers: Int) {
    blocking {
        let pairs = (0..<readers).map { _ in AsyncStream.makeStream(of: Int.self) }
        await withTaskGroup(of: Void.self) { group in
            for (stream, _) in pairs {
                group.addTask { for await value in stream where (value &+ 1) & 3 != 0 { keep(value &+ 1) } }
            }
            for value in 0..<count { for (_, continuation) in pairs { continuation.yield(value) } }
            for (_, continuation) in pairs { continuation.finish() }
        }
    }
}

func twoThreadsIntoAStream(_ count: Int) {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    DispatchQueue.concurrentPerform(iterations: 2) { _ in
        for value in 0..<count { continuation.yield(value) }
    }
    continuation.finish()
    blocking { for await value in stream where (value &+ 1) & 3 != 0 { keep(value &+ 1) } }
}

func continuationPerValue(_ count: Int) {
    let stream = AsyncStream(Int.self) { continuation in
        for value in 0..<count { continuation.yield(value) }
        continuation.finish()
    }
    blocking { for await value in stream { keep(value) } }
}

func iterationPerSubscription(_ count: Int) {
    blocking {
        for value in 0..<count { for await result in CollectionOfOne(value).async.map({ $0 &+ 1 }) { keep(result) } }
    }
}

func taskPerSubscription(_ count: Int) {
    blocking {
        for _ in 0..<count {
            let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
            let task = Task { for await value in stream.map({ $0 &+ 1 }) { keep(value) } }
            task.cancel()
            await task.value
            continuation.finish()
        }
    }
}

@available(macOS 15, *)
func asynchronousShare(_ count: Int, readers: Int) {
    blocking {
        let shared = filled(count, each: { $0 &+ 1 }).share()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<readers { group.addTask { for await value in shared { keep(value) } } }
        }
    }
}

func asynchronousDebounce(_ count: Int) {
    blocking {
        for await value in filled(count).debounce(for: .milliseconds(100)) { keep(value) }
    }
}

func asynchronousThrottle(_ count: Int) {
    blocking {
        for await value in filled(count)._throttle(for: .milliseconds(100)) { keep(value) }
    }
}
