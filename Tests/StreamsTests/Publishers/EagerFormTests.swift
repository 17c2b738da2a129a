import Streams
import StreamsTesting
import Testing

/// What a publisher delivers to one who requests everything.
private func signals<P: Publisher>(_ publisher: P) -> String {
    let subscriber = RecordingSubscriber<P.Output, P.Failure>()
    publisher.subscribe(subscriber)
    return "\(subscriber.values) \(subscriber.completion.map { "\($0)" } ?? "goes on")"
}

/// Checks the form that is worked out at once against the operator itself, for which the upstream has no type.
private func agree(
    _ eager: some Publisher, _ general: some Publisher,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(signals(eager) == signals(general), sourceLocation: sourceLocation)
}

@Suite("Operators of one value, none or a failure, worked out when they are called")
struct EagerFormTests {
    @Test("Those of Just have its types and deliver what the general ones do")
    func just() {
        let just = Just(3)
        let general = just.eraseToAnyPublisher()
        let mapped: Just<Int> = just.map { $0 + 1 }
        agree(mapped, general.map { $0 + 1 })
        let kept: Int?.Publisher = just.filter { $0 > 5 }
        agree(kept, general.filter { $0 > 5 })
        agree(just.compactMap { $0 > 2 ? "\($0)" : nil }, general.compactMap { $0 > 2 ? "\($0)" : nil })
        agree(
            just.tryMap { _ in throw TestError.expected } as Result<Int, any Error>.Publisher,
            general.tryMap { _ -> Int in throw TestError.expected })
        agree(just.allSatisfy { $0 > 2 }, general.allSatisfy { $0 > 2 })
        agree(just.tryAllSatisfy { $0 > 3 }, general.tryAllSatisfy { $0 > 3 })
        agree(just.contains { $0 > 3 }, general.contains { $0 > 3 })
        agree(just.tryContains { $0 > 2 }, general.tryContains { $0 > 2 })
        agree(just.contains(3), general.contains(3))
        agree(just.collect(), general.collect())
        agree(just.count(), general.count())
        agree(just.first(), general.first())
        agree(just.first { $0 > 3 }, general.first { $0 > 3 })
        agree(just.last(), general.last())
        agree(just.last { $0 > 2 }, general.last { $0 > 2 })
        agree(just.dropFirst(), general.dropFirst())
        agree(just.dropFirst(0), general.dropFirst(0))
        agree(just.drop { $0 > 2 }, general.drop { $0 > 2 })
        agree(just.prefix(0), general.prefix(0))
        agree(just.prefix(2), general.prefix(2))
        agree(just.prefix { $0 > 3 }, general.prefix { $0 > 3 })
        agree(just.output(at: 0), general.output(at: 0))
        agree(just.output(at: 1), general.output(at: 1))
        agree(just.output(in: 1..<3), general.output(in: 1..<3))
        agree(just.reduce(1, +), general.reduce(1, +))
        agree(just.tryReduce(1, +), general.tryReduce(1, +))
        agree(just.scan(1, +), general.scan(1, +))
        agree(just.tryScan(1, +), general.tryScan(1, +))
        agree(just.min(), general.min())
        agree(just.max(), general.max())
        agree(just.removeDuplicates(), general.removeDuplicates())
        agree(just.removeDuplicates { $0 == $1 }, general.removeDuplicates { $0 == $1 })
        agree(just.replaceEmpty(with: 9), general.replaceEmpty(with: 9))
        agree(just.replaceError(with: 9), general.replaceError(with: 9))
        agree(just.retry(2), general.retry(2))
        agree(just.setFailureType(to: TestError.self), general.setFailureType(to: TestError.self))
        agree(just.append(4, 5), general.append(4, 5))
        agree(just.prepend([1, 2]), general.prepend([1, 2]))
    }

    @Test("Those of an optional's publisher", arguments: [nil, 3])
    func optional(_ value: Int?) {
        let publisher = value.publisher
        let general = publisher.eraseToAnyPublisher()
        let mapped: Int?.Publisher = publisher.map { $0 + 1 }
        agree(mapped, general.map { $0 + 1 })
        agree(publisher.filter { $0 > 3 }, general.filter { $0 > 3 })
        agree(publisher.compactMap { $0 > 2 ? "\($0)" : nil }, general.compactMap { $0 > 2 ? "\($0)" : nil })
        agree(publisher.allSatisfy { $0 > 3 }, general.allSatisfy { $0 > 3 })
        agree(publisher.contains { $0 > 2 }, general.contains { $0 > 2 })
        agree(publisher.contains(3), general.contains(3))
        agree(publisher.collect(), general.collect())
        agree(publisher.count(), general.count())
        agree(publisher.first(), general.first())
        agree(publisher.first { $0 > 3 }, general.first { $0 > 3 })
        agree(publisher.last { $0 > 2 }, general.last { $0 > 2 })
        agree(publisher.dropFirst(), general.dropFirst())
        agree(publisher.drop { $0 > 3 }, general.drop { $0 > 3 })
        agree(publisher.prefix(0), general.prefix(0))
        agree(publisher.prefix { $0 > 2 }, general.prefix { $0 > 2 })
        agree(publisher.output(at: 1), general.output(at: 1))
        agree(publisher.output(in: 0...), general.output(in: 0...))
        agree(publisher.reduce(1, +), general.reduce(1, +))
        agree(publisher.scan(1, +), general.scan(1, +))
        agree(publisher.min(), general.min())
        agree(publisher.max(), general.max())
        agree(publisher.removeDuplicates(), general.removeDuplicates())
        agree(publisher.replaceEmpty(with: 9), general.replaceEmpty(with: 9))
        agree(publisher.replaceError(with: 9), general.replaceError(with: 9))
    }

    @Test("Those of a result's publisher", arguments: [Result.success(3), .failure(TestError.expected)])
    func result(_ result: Result<Int, TestError>) {
        let publisher = result.publisher
        let general = publisher.eraseToAnyPublisher()
        let mapped: Result<Int, TestError>.Publisher = publisher.map { $0 + 1 }
        agree(mapped, general.map { $0 + 1 })
        agree(
            publisher.tryMap { $0 > 3 ? $0 : try { throw TestError.overflow }() },
            general.tryMap { $0 > 3 ? $0 : try { throw TestError.overflow }() })
        agree(publisher.mapError { _ in TestError.overflow }, general.mapError { _ in TestError.overflow })
        agree(publisher.allSatisfy { $0 > 2 }, general.allSatisfy { $0 > 2 })
        agree(publisher.tryAllSatisfy { $0 > 3 }, general.tryAllSatisfy { $0 > 3 })
        agree(publisher.contains { $0 > 3 }, general.contains { $0 > 3 })
        agree(publisher.tryContains { $0 > 2 }, general.tryContains { $0 > 2 })
        agree(publisher.contains(3), general.contains(3))
        agree(publisher.collect(), general.collect())
        agree(publisher.count(), general.count())
        agree(publisher.first(), general.first())
        agree(publisher.last(), general.last())
        agree(publisher.reduce(1, +), general.reduce(1, +))
        agree(publisher.tryReduce(1, +), general.tryReduce(1, +))
        agree(publisher.scan(1, +), general.scan(1, +))
        agree(publisher.tryScan(1, +), general.tryScan(1, +))
        agree(publisher.min(), general.min())
        agree(publisher.max(), general.max())
        agree(publisher.removeDuplicates(), general.removeDuplicates())
        agree(publisher.replaceEmpty(with: 9), general.replaceEmpty(with: 9))
        agree(publisher.replaceError(with: 9), general.replaceError(with: 9))
        agree(publisher.retry(2), general.retry(2))
    }

    @Test("Those of a sequence's publisher that need no closure")
    func sequence() {
        for values in [[], [1, 2, 3]] {
            let publisher = values.publisher
            let general = publisher.eraseToAnyPublisher()
            let first: Int?.Publisher = publisher.first()
            agree(first, general.first())
            let count: Just<Int> = publisher.count()
            agree(count, general.count())
            agree(publisher.collect(), general.collect())
            agree(publisher.ignoreOutput(), general.ignoreOutput())
            agree(publisher.output(at: 1), general.output(at: 1))
            agree(publisher.append(4, 5), general.append(4, 5))
            agree(publisher.prepend([8, 9]), general.prepend([8, 9]))
        }
    }

    @Test("A sequence's element at an index is the one that its array has there", arguments: [[], [7], [1, 2, 3]])
    func element(_ array: [Int]) {
        for index in -1...4 {
            let element: Int?.Publisher = array.publisher.output(at: index)
            #expect(element.output == (array.indices.contains(index) ? array[index] : nil))
        }
        let (first, count): (Int?.Publisher, Just<Int>) = (array.publisher.first(), array.publisher.count())
        #expect(first.output == array.first && count.output == array.count)
    }
}
