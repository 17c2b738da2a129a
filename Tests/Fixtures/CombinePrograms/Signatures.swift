// Programs as people write them for Combine: types of operators named in signatures, and made by their initialisers. See
// Operators.swift.
import Dispatch
import Foundation
import Streams
import StreamsFoundation

enum Trouble: Error, Equatable { case bad, worse }

struct NamedTypes {
    let subject: PassthroughSubject<Int, Never>
    var filtered: Publishers.Filter<PassthroughSubject<Int, Never>> { subject.filter { $0 > 1 } }
    var mapped: Publishers.Map<Publishers.Filter<PassthroughSubject<Int, Never>>, String> { filtered.map { "\($0)" } }
    var shared: Publishers.Share<AnyPublisher<Int, Never>> { subject.eraseToAnyPublisher().share() }
    var debounced: Publishers.Debounce<PassthroughSubject<Int, Never>, DispatchQueue> {
        subject.debounce(for: .milliseconds(10), scheduler: DispatchQueue.main)
    }
    var throttled: Publishers.Throttle<PassthroughSubject<Int, Never>, DispatchQueue> {
        subject.throttle(for: 0.1, scheduler: DispatchQueue.main, latest: false)
    }
    var delayed: Publishers.Delay<PassthroughSubject<Int, Never>, DispatchQueue> {
        subject.delay(for: 1, scheduler: DispatchQueue.main)
    }
    var timed: Publishers.Timeout<PassthroughSubject<Int, Never>, DispatchQueue> {
        subject.timeout(1, scheduler: DispatchQueue.main)
    }
    var received: Publishers.ReceiveOn<PassthroughSubject<Int, Never>, DispatchQueue> {
        subject.receive(on: DispatchQueue.main)
    }
    var onMain: Publishers.SubscribeOn<PassthroughSubject<Int, Never>, DispatchQueue> {
        subject.subscribe(on: DispatchQueue.main)
    }
    var latest: Publishers.CombineLatest<PassthroughSubject<Int, Never>, Just<String>> {
        subject.combineLatest(Just("a"))
    }
    var latest3: Publishers.CombineLatest3<PassthroughSubject<Int, Never>, Just<String>, Just<Bool>> {
        subject.combineLatest(Just("a"), Just(true))
    }
    var zipped: Publishers.Zip<PassthroughSubject<Int, Never>, Just<String>> { subject.zip(Just("a")) }
    var merged: Publishers.MergeMany<AnyPublisher<Int, Never>> {
        Publishers.MergeMany([subject.eraseToAnyPublisher(), Just(2).eraseToAnyPublisher()])
    }
    var merge: Publishers.Merge<PassthroughSubject<Int, Never>, Just<Int>> { subject.merge(with: Just(3)) }
    var failing: Publishers.SetFailureType<PassthroughSubject<Int, Never>, Trouble> {
        subject.setFailureType(to: Trouble.self)
    }
    var caught: Publishers.Catch<AnyPublisher<Int, Trouble>, Just<Int>> {
        failing.eraseToAnyPublisher().catch { _ in Just(0) }
    }
    var replaced: Publishers.ReplaceError<AnyPublisher<Int, Trouble>> {
        failing.eraseToAnyPublisher().replaceError(with: 0)
    }
    var replacedEmpty: Publishers.ReplaceEmpty<PassthroughSubject<Int, Never>> { subject.replaceEmpty(with: 0) }
    var flat: Publishers.FlatMap<Just<String>, PassthroughSubject<Int, Never>> { subject.flatMap { Just("\($0)") } }
    var switched: Publishers.SwitchToLatest<Just<Int>, Publishers.Map<PassthroughSubject<Int, Never>, Just<Int>>> {
        subject.map { Just($0) }.switchToLatest()
    }
    var unique: Publishers.RemoveDuplicates<PassthroughSubject<Int, Never>> { subject.removeDuplicates() }
    var scanned: Publishers.Scan<PassthroughSubject<Int, Never>, Int> { subject.scan(0, +) }
    var reduced: Publishers.Reduce<PassthroughSubject<Int, Never>, Int> { subject.reduce(0, +) }
    var tried: Publishers.TryMap<PassthroughSubject<Int, Never>, String> { subject.tryMap { "\($0)" } }
    var compacted: Publishers.CompactMap<PassthroughSubject<Int, Never>, Int> {
        subject.compactMap { $0 > 0 ? $0 : nil }
    }
    var printed: Publishers.Print<PassthroughSubject<Int, Never>> { subject.print("x") }
    var handled: Publishers.HandleEvents<PassthroughSubject<Int, Never>> {
        subject.handleEvents(receiveOutput: { _ in })
    }
    var concatenated: Publishers.Concatenate<PassthroughSubject<Int, Never>, Publishers.Sequence<[Int], Never>> {
        subject.append(1, 2)
    }
    var collected: Publishers.CollectByCount<PassthroughSubject<Int, Never>> { subject.collect(2) }
    var byTime: Publishers.CollectByTime<PassthroughSubject<Int, Never>, DispatchQueue> {
        subject.collect(.byTimeOrCount(DispatchQueue.main, .seconds(1), 2))
    }
    var buffered: Publishers.Buffer<PassthroughSubject<Int, Never>> {
        subject.buffer(size: 2, prefetch: .keepFull, whenFull: .dropOldest)
    }
    var multicasted: Publishers.Multicast<PassthroughSubject<Int, Never>, PassthroughSubject<Int, Never>> {
        subject.multicast { PassthroughSubject() }
    }
    var connectable: Publishers.MakeConnectable<PassthroughSubject<Int, Never>> { subject.makeConnectable() }
    var auto: Publishers.Autoconnect<Publishers.MakeConnectable<PassthroughSubject<Int, Never>>> {
        subject.makeConnectable().autoconnect()
    }
    var retried: Publishers.Retry<AnyPublisher<Int, Trouble>> { failing.eraseToAnyPublisher().retry(2) }
    var errors: Publishers.MapError<AnyPublisher<Int, Trouble>, Trouble> {
        failing.eraseToAnyPublisher().mapError { _ in .worse }
    }
    var dropped: Publishers.Drop<PassthroughSubject<Int, Never>> { subject.dropFirst() }
    var droppedUntil: Publishers.DropUntilOutput<PassthroughSubject<Int, Never>, Just<Int>> {
        subject.drop(untilOutputFrom: Just(1))
    }
    var prefixUntil: Publishers.PrefixUntilOutput<PassthroughSubject<Int, Never>, Just<Int>> {
        subject.prefix(untilOutputFrom: Just(1))
    }
    var first: Publishers.First<PassthroughSubject<Int, Never>> { subject.first() }
    var firstWhere: Publishers.FirstWhere<PassthroughSubject<Int, Never>> { subject.first { $0 > 2 } }
    var last: Publishers.Last<PassthroughSubject<Int, Never>> { subject.last() }
    var output: Publishers.Output<PassthroughSubject<Int, Never>> { subject.prefix(2) }
    var ignored: Publishers.IgnoreOutput<PassthroughSubject<Int, Never>> { subject.ignoreOutput() }
    var counted: Publishers.Count<PassthroughSubject<Int, Never>> { subject.count() }
    var measured: Publishers.MeasureInterval<PassthroughSubject<Int, Never>, DispatchQueue> {
        subject.measureInterval(using: DispatchQueue.main)
    }
    var all: Publishers.AllSatisfy<PassthroughSubject<Int, Never>> { subject.allSatisfy { $0 > 0 } }
    var greatest: Publishers.Comparison<PassthroughSubject<Int, Never>> { subject.max() }
    var contains: Publishers.Contains<PassthroughSubject<Int, Never>> { subject.contains(2) }
    var containsWhere: Publishers.ContainsWhere<PassthroughSubject<Int, Never>> { subject.contains { $0 > 2 } }
    var decoded: Publishers.Decode<PassthroughSubject<Data, Never>, Int, JSONDecoder> {
        PassthroughSubject<Data, Never>().decode(type: Int.self, decoder: JSONDecoder())
    }
    var encoded: Publishers.Encode<PassthroughSubject<Int, Never>, JSONEncoder> {
        subject.encode(encoder: JSONEncoder())
    }
    var keyPath: Publishers.MapKeyPath<PassthroughSubject<Int, Never>, String> { subject.map(\.description) }
    var tryCaught: Publishers.TryCatch<AnyPublisher<Int, Trouble>, Just<Int>> {
        failing.eraseToAnyPublisher().tryCatch { _ in Just(1) }
    }
    var asserted: Publishers.AssertNoFailure<AnyPublisher<Int, Trouble>> {
        failing.eraseToAnyPublisher().assertNoFailure()
    }
    var timer: Publishers.Autoconnect<Timer.TimerPublisher> {
        Timer.publish(every: 1, on: .main, in: .common).autoconnect()
    }
    var notes: NotificationCenter.Publisher { NotificationCenter.default.publisher(for: Notification.Name("a")) }
    var sequence: Publishers.Sequence<[Int], Never> { [1, 2].publisher }
    var optional: Optional<Int>.Publisher { Optional(1).publisher }
    var result: Result<Int, Trouble>.Publisher { Result<Int, Trouble>.success(1).publisher }
    var deferred: Deferred<Just<Int>> { Deferred { Just(1) } }
}

/// > 2 3
func namedTypes() {
    let subject = PassthroughSubject<Int, Never>()
    let cancellable = NamedTypes(subject: subject).mapped.sink { print($0, terminator: " ") }
    for i in 1...3 { subject.send(i) }
    cancellable.cancel()
}
/// > 2 4 6 2 3 2 3 1 2 3 finished
/// > 1 2 3 1 3 6 6 1 2 3 4 1 2 3 9 1 2 3 1 2 5 1 2 3 0 1 2 3 1 2 3 1 2 3 failure(Signatures.Trouble.worse)
/// > 2 3 1 3 2 2 3 1 2 3 [1, 2, 3] [1, 2] [3] true true false 3 2 1
func initialisers() {
    let n = [1, 2, 3].publisher
    _ = Publishers.Map(upstream: n, transform: { $0 * 2 }).sink { print($0, terminator: " ") }
    _ = Publishers.Filter(upstream: n, isIncluded: { $0 > 1 }).sink { print($0, terminator: " ") }
    _ = Publishers.CompactMap(upstream: n, transform: { $0 > 1 ? "\($0)" : nil }).sink { print($0, terminator: " ") }
    _ = Publishers.TryMap(upstream: n, transform: { (i: Int) throws -> Int in i }).sink(
        receiveCompletion: { print($0) }, receiveValue: { print($0, terminator: " ") })
    _ = Publishers.FlatMap(upstream: n, maxPublishers: .max(1), transform: { Just($0) }).sink {
        print($0, terminator: " ")
    }
    _ = Publishers.Scan(upstream: n, initialResult: 0, nextPartialResult: { $0 + $1 }).sink {
        print($0, terminator: " ")
    }
    _ = Publishers.Reduce(upstream: n, initial: 0, nextPartialResult: { $0 + $1 }).sink { print($0, terminator: " ") }
    _ = Publishers.Concatenate(prefix: n, suffix: Just(4)).sink { print($0, terminator: " ") }
    _ = Publishers.Merge(n, Just(9)).sink { print($0, terminator: " ") }
    _ = Publishers.MergeMany(Just(1), Just(2), Just(3)).sink { print($0, terminator: " ") }
    _ = Publishers.MergeMany([Just(1), Just(2)]).sink { print($0, terminator: " ") }
    _ = Publishers.Sequence<[Int], Never>(sequence: [5]).sink { print($0, terminator: " ") }
    _ = Publishers.Share(upstream: n).sink { print($0, terminator: " ") }
    _ = Publishers.Catch(upstream: Fail<Int, Trouble>(error: .bad), handler: { _ in Just(0) }).sink {
        print($0, terminator: " ")
    }
    _ = Publishers.RemoveDuplicates(upstream: n, predicate: ==).sink { print($0, terminator: " ") }
    _ = Publishers.ReplaceEmpty(upstream: n, output: 3).sink { print($0, terminator: " ") }
    _ = Publishers.ReplaceError(upstream: n, output: 3).sink { print($0, terminator: " ") }
    _ = Publishers.SetFailureType<Just<Int>, Trouble>(upstream: Just(1))
    _ = Publishers.MapError(upstream: Fail<Int, Trouble>(error: .bad)) { _ in Trouble.worse }.sink(
        receiveCompletion: { print($0) }, receiveValue: { _ in })
    _ = Publishers.MapError(upstream: Fail<Int, Trouble>(error: .bad), transform: { _ in Trouble.worse })
    _ = Publishers.Drop(upstream: n, count: 1).sink { print($0, terminator: " ") }
    _ = Publishers.First(upstream: n).sink { print($0, terminator: " ") }
    _ = Publishers.Last(upstream: n).sink { print($0, terminator: " ") }
    _ = Publishers.FirstWhere(upstream: n, predicate: { $0 > 1 }).sink { print($0, terminator: " ") }
    _ = Publishers.LastWhere(upstream: n, predicate: { $0 < 3 }).sink { print($0, terminator: " ") }
    _ = Publishers.DropWhile(upstream: n, predicate: { $0 < 3 }).sink { print($0, terminator: " ") }
    _ = Publishers.PrefixWhile(upstream: n, predicate: { $0 < 3 }).sink { print($0, terminator: " ") }
    _ = Publishers.Count(upstream: n).sink { print($0, terminator: " ") }
    _ = Publishers.IgnoreOutput(upstream: n).sink { print($0, terminator: " ") }
    _ = Publishers.Collect(upstream: n).sink { print($0, terminator: " ") }
    _ = Publishers.CollectByCount(upstream: n, count: 2).sink { print($0, terminator: " ") }
    _ = Publishers.Contains(upstream: n, output: 2).sink { print($0, terminator: " ") }
    _ = Publishers.ContainsWhere(upstream: n, predicate: { $0 > 2 }).sink { print($0, terminator: " ") }
    _ = Publishers.AllSatisfy(upstream: n, predicate: { $0 > 2 }).sink { print($0, terminator: " ") }
    _ = Publishers.Comparison(upstream: n, areInIncreasingOrder: <).sink { print($0, terminator: " ") }
    _ = Publishers.Print(upstream: n, prefix: "p")
    _ = Publishers.Buffer(upstream: n, size: 1, prefetch: .byRequest, whenFull: .dropNewest)
    _ = Publishers.Retry(upstream: n, retries: 2)
    _ = Publishers.Output(upstream: n, range: 1..<2).sink { print($0, terminator: " ") }
    _ = Publishers.PrefixUntilOutput(upstream: n, other: Just(1))
    _ = Publishers.DropUntilOutput(upstream: n, other: Just(1))
    _ = Publishers.Debounce(upstream: n, dueTime: .seconds(1), scheduler: DispatchQueue.main, options: nil)
    _ = Publishers.Throttle(upstream: n, interval: .seconds(1), scheduler: DispatchQueue.main, latest: true)
    _ = Publishers.Delay(upstream: n, interval: .seconds(1), tolerance: .seconds(1), scheduler: DispatchQueue.main)
    _ = Publishers.Timeout(
        upstream: n, interval: .seconds(1), scheduler: DispatchQueue.main, options: nil, customError: nil)
    _ = Publishers.MeasureInterval(upstream: n, scheduler: DispatchQueue.main)
    _ = Publishers.ReceiveOn(upstream: n, scheduler: DispatchQueue.main, options: nil)
    _ = Publishers.SubscribeOn(upstream: n, scheduler: DispatchQueue.main, options: nil)
    _ = Publishers.HandleEvents(
        upstream: n, receiveSubscription: nil, receiveOutput: { _ in }, receiveCompletion: nil, receiveCancel: nil,
        receiveRequest: nil)
    _ = Publishers.Breakpoint(upstream: n, receiveSubscription: nil, receiveOutput: nil, receiveCompletion: nil)
    _ = Publishers.Multicast(upstream: n, createSubject: { PassthroughSubject<Int, Never>() })
    _ = Publishers.MakeConnectable(upstream: n)
    _ = Publishers.Autoconnect(upstream: n.makeConnectable())
    _ = Publishers.TryCatch(upstream: Fail<Int, Trouble>(error: .bad), handler: { _ in Just(0) })
    _ = Publishers.CollectByTime(upstream: n, strategy: .byTime(DispatchQueue.main, .seconds(1)), options: nil)
    _ = Publishers.AssertNoFailure(upstream: n, prefix: "", file: #file, line: #line)
    _ = Publishers.SwitchToLatest(upstream: Just(Just(1))).sink { print($0, terminator: " ") }
}
