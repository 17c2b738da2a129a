// Programs as people write them for Combine: extensions with constraints, generic functions, existential and opaque types. See
// Operators.swift.
import Dispatch
import Foundation
import Streams
import StreamsFoundation

enum Trouble: Error, Equatable { case bad, worse }

extension Publisher where Output == String {
    func uppercased() -> Publishers.Map<Self, String> { map { $0.uppercased() } }
}
extension Publisher where Output: Collection {
    func counts() -> AnyPublisher<Int, Failure> { map(\.count).eraseToAnyPublisher() }
    func nonEmpty() -> Publishers.Filter<Self> { filter { !$0.isEmpty } }
}
extension Publisher where Failure == Never {
    func promoted<E: Error>(_: E.Type = E.self) -> AnyPublisher<Output, E> {
        setFailureType(to: E.self).eraseToAnyPublisher()
    }
}
extension Publisher where Output == Data {
    func decoded<T: Decodable & Sendable>(_ type: T.Type) -> AnyPublisher<T, Error> {
        decode(type: T.self, decoder: JSONDecoder()).eraseToAnyPublisher()
    }
}
extension Publisher {
    func toVoid() -> Publishers.Map<Self, Void> { map { _ in } }
    func ignoreFailure() -> AnyPublisher<Output, Never> { self.catch { _ in Empty() }.eraseToAnyPublisher() }
    func toResult() -> AnyPublisher<Result<Output, Failure>, Never> {
        map(Result.success).catch { Just(.failure($0)) }.eraseToAnyPublisher()
    }
    func withPrevious() -> AnyPublisher<(previous: Output?, current: Output), Failure> {
        scan(Optional<(Output?, Output)>.none) { ($0?.1, $1) }.compactMap { $0 }.map { (previous: $0.0, current: $0.1) }
            .eraseToAnyPublisher()
    }
    func filterMap<T>(_ keyPath: KeyPath<Output, T?> & Sendable) -> AnyPublisher<T, Failure> where T: Sendable {
        compactMap { $0[keyPath: keyPath] }.eraseToAnyPublisher()
    }
    func retry<S: Scheduler>(_ retries: Int, delay: S.SchedulerTimeType.Stride, scheduler: S) -> AnyPublisher<
        Output, Failure
    > {
        self.catch { _ in Just(()).delay(for: delay, scheduler: scheduler).flatMap { _ in self }.retry(retries) }
            .eraseToAnyPublisher()
    }
    static func merging<P: Publisher>(_ ps: P...) -> AnyPublisher<Output, Failure>
    where P.Output == Output, P.Failure == Failure { Publishers.MergeMany(ps).eraseToAnyPublisher() }
}
extension AnyPublisher {
    static func just(_ o: Output) -> Self { Just(o).setFailureType(to: Failure.self).eraseToAnyPublisher() }
    static func fail(_ e: Failure) -> AnyPublisher { Fail(error: e).eraseToAnyPublisher() }
    static var empty: AnyPublisher { Empty().eraseToAnyPublisher() }
    static var never: AnyPublisher<Output, Failure> { Empty(completeImmediately: false).eraseToAnyPublisher() }
}
extension Publisher where Output: Publisher, Output.Failure == Failure {
    func flattened() -> Publishers.FlatMap<Output, Self> { flatMap { $0 } }
}
protocol OptionalType {
    associatedtype Wrapped
    var value: Wrapped? { get }
}
extension Optional: OptionalType { var value: Wrapped? { self } }
extension Publisher where Output: OptionalType, Output.Wrapped: Sendable {
    func unwrap() -> AnyPublisher<Output.Wrapped, Failure> { compactMap { $0.value }.eraseToAnyPublisher() }
}
extension Sequence where Element: Publisher {
    func merged() -> Publishers.MergeMany<Element> { Publishers.MergeMany(self) }
}
extension Collection where Element: Publisher, Self: Sendable {
    func combineLatestAll() -> AnyPublisher<[Element.Output], Element.Failure> {
        guard let first = first else { return Empty().eraseToAnyPublisher() }
        return dropFirst().reduce(into: first.map { [$0] }.eraseToAnyPublisher()) { acc, p in
            acc = acc.combineLatest(p) { $0 + [$1] }.eraseToAnyPublisher()
        }
    }
}
func show<P: Publisher>(_ p: P) where P.Failure == Never {
    _ = p.sink { print($0, terminator: " ") }
    print()
}

/// > A B
/// > 1 2
/// > 1
/// > [1]
/// > 2
/// > failure(Generics.Trouble.bad)
/// > (previous: nil, current: 1) (previous: Optional(1), current: 2)
/// > 1 2 3
/// > 1 3
/// > 1 2
/// > [1, 2, 3]
/// > 3
/// > 8
/// > x
/// > 1 2
func extensions() {
    show(["a", "b"].publisher.uppercased())
    show(["a", "bb", ""].publisher.nonEmpty().counts())
    show(Just(1).promoted(Trouble.self).ignoreFailure())
    show(Just(Data("[1]".utf8)).decoded([Int].self).replaceError(with: []))
    show([1, 2].publisher.toVoid().count())
    show(Fail<Int, Trouble>(error: .bad).toResult())
    show([1, 2].publisher.withPrevious())
    show([[1], [2, 3]].publisher.map { $0.publisher }.flattened())
    show([1, nil, 3].publisher.unwrap())
    show([Just(1), Just(2)].merged())
    show([Just(1), Just(2), Just(3)].combineLatestAll())
    show(AnyPublisher<Int, Never>.just(3))
    show(AnyPublisher<Int, Trouble>.fail(.bad).replaceError(with: 8))
    show(["x"].publisher.filterMap(\.first))
    show(AnyPublisher<Int, Never>.merging(Just(1), Just(2)))
}
func opaque() -> some Publisher<Int, Never> { [1, 2, 3].publisher.map { $0 * 2 }.filter { $0 > 2 } }
func opaqueErr() -> some Publisher<String, any Error> {
    ["1", "x"].publisher.tryMap {
        guard Int($0) != nil else { throw Trouble.bad }
        return $0
    }
}
func takes(_ p: some Publisher<Int, Never>) { _ = p.sink { print($0, terminator: " ") } }
func takesAny(_ p: any Publisher<Int, Never>) { _ = p.sink { print($0, terminator: " ") } }
func takesAnyFailing(_ p: any Publisher<Int, Trouble>) {
    _ = p.sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
}
func feed(_ s: any Subject<Int, Never>) {
    s.send(1)
    s.send(completion: .finished)
}
func feedSome(_ s: some Subject<Int, Never>) {
    s.send(1)
    s.send(completion: .finished)
}
func subscribeAny(_ s: any Subscriber<Int, Never>) {
    func go<S: Subscriber>(_ s: S) where S.Input == Int, S.Failure == Never { Just(4).subscribe(s) }
    go(s)
}
func scheduleOn(_ s: some Scheduler<DispatchQueue.SchedulerTimeType>) -> AnyPublisher<Int, Never> {
    Just(1).delay(for: .milliseconds(1), scheduler: s).eraseToAnyPublisher()
}
/// > 4 6 4 6 7 failure(Generics.Trouble.bad)
/// > 1 2 3 1 2 3 2 fed 1 1
/// > got 4
/// > 1 failure(Generics.Trouble.bad)
/// > delayed 1
func existentials() {
    takes(opaque())
    takesAny(opaque())
    takesAny(Just(7))
    takesAny(PassthroughSubject<Int, Never>())
    takesAnyFailing(Fail(error: .bad))
    let many: [any Publisher<Int, Never>] = [Just(1), [2, 3].publisher, Empty()]
    for p in many { takesAny(p) }
    let merged = Publishers.MergeMany(many.map { $0.eraseToAnyPublisher() })
    takes(merged)
    let p: any Publisher<Int, Never> = Just(1)
    takesAny(p.eraseToAnyPublisher().map { $0 + 1 })
    let s = PassthroughSubject<Int, Never>()
    let c = s.sink { print("fed", $0, terminator: " ") }
    feed(s)
    c.cancel()
    let s2 = CurrentValueSubject<Int, Never>(0)
    feedSome(s2)
    print(s2.value)
    subscribeAny(Subscribers.Sink<Int, Never>(receiveCompletion: { _ in }, receiveValue: { print("got", $0) }))
    let conn: any ConnectablePublisher<Int, Never> = Just(1).makeConnectable()
    let k = conn.connect()
    k.cancel()
    let enc: any TopLevelEncoder<Data> = JSONEncoder()
    _ = enc
    _ = opaqueErr().sink(receiveCompletion: { print($0) }, receiveValue: { print($0, terminator: " ") })
    let done = DispatchSemaphore(value: 0)
    let d = scheduleOn(DispatchQueue.global()).sink {
        print("delayed", $0)
        done.signal()
    }
    done.wait()
    d.cancel()
}
