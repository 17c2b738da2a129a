// Programs as people write them for Combine in Swift 5 mode: operators of their own, of names that operators here have too: theirs
// are meant.
import Streams

extension Publisher {
    func withLatestFrom<O: Publisher>(_ other: O) -> AnyPublisher<(Output, O.Output), Failure>
    where O.Failure == Failure { combineLatest(other).eraseToAnyPublisher() }
    func withLatestFrom<O: Publisher, R>(_ other: O, _ t: @escaping (Output, O.Output) -> R) -> AnyPublisher<R, Failure>
    where O.Failure == Failure { combineLatest(other).map(t).eraseToAnyPublisher() }
    func flatMapLatest<P: Publisher>(_ t: @escaping (Output) -> P) -> AnyPublisher<P.Output, Failure>
    where P.Failure == Failure { map(t).switchToLatest().eraseToAnyPublisher() }
    func materialize() -> AnyPublisher<Result<Output, Failure>, Never> {
        map { .success($0) }.catch { Just(.failure($0)) }.eraseToAnyPublisher()
    }
    func pairwise() -> AnyPublisher<(Output, Output), Failure> {
        scan((Output?.none, Output?.none)) { ($0.1, $1) }.compactMap { a, b in a.flatMap { a in b.map { (a, $0) } } }
            .eraseToAnyPublisher()
    }
    func enumerated() -> AnyPublisher<(Int, Output), Failure> {
        scan(Optional<(Int, Output)>.none) { (($0?.0 ?? -1) + 1, $1) }.compactMap { $0 }.eraseToAnyPublisher()
    }
    func sample<T: Publisher>(_ o: T) -> AnyPublisher<Output, Failure> where T.Failure == Failure {
        o.map { _ in self.first() }.switchToLatest().eraseToAnyPublisher()
    }
    func concatMap<P: Publisher>(_ t: @escaping (Output) -> P) -> Publishers.FlatMap<P, Self>
    where P.Failure == Failure { flatMap(maxPublishers: .max(1), t) }
    func amb<O: Publisher>(_ o: O) -> AnyPublisher<Output, Failure> where O.Output == Output, O.Failure == Failure {
        merge(with: o).eraseToAnyPublisher()
    }
    func partition(_ p: @escaping (Output) -> Bool) -> (AnyPublisher<Output, Failure>, AnyPublisher<Output, Failure>) {
        (filter(p).eraseToAnyPublisher(), filter { !p($0) }.eraseToAnyPublisher())
    }
    func takeLast(_ count: Int) -> AnyPublisher<Output, Failure> {
        collect().flatMap { $0.suffix(count).publisher.setFailureType(to: Failure.self) }.eraseToAnyPublisher()
    }
    func dropLast(_ count: Int = 1) -> AnyPublisher<Output, Failure> {
        collect().flatMap { $0.dropLast(count).publisher.setFailureType(to: Failure.self) }.eraseToAnyPublisher()
    }
    func interspersed(with separator: Output) -> AnyPublisher<Output, Failure> {
        flatMap { [separator, $0].publisher.setFailureType(to: Failure.self) }.dropFirst().eraseToAnyPublisher()
    }
    func sample<S: Scheduler>(every time: S.SchedulerTimeType.Stride, scheduler: S) -> AnyPublisher<Output, Failure> {
        first().eraseToAnyPublisher()
    }
    func `repeat`(_ times: Int = 2) -> AnyPublisher<Output, Failure> {
        (1..<times).reduce(eraseToAnyPublisher()) { all, _ in all.append(self).eraseToAnyPublisher() }
    }
    func retryWhen<T: Publisher>(_ trigger: @escaping (AnyPublisher<Failure, Never>) -> T) -> AnyPublisher<
        Output, Failure
    > {
        Swift.print("mine", terminator: " ")
        return eraseToAnyPublisher()
    }
    func switchIfEmpty<P: Publisher>(_ other: P) -> AnyPublisher<Output, Failure>
    where P.Output == Output, P.Failure == Failure {
        collect().flatMap {
            $0.isEmpty
                ? other.eraseToAnyPublisher() : $0.publisher.setFailureType(to: Failure.self).eraseToAnyPublisher()
        }.eraseToAnyPublisher()
    }
    func groupBy<K: Hashable>(_ key: @escaping (Output) -> K) -> AnyPublisher<[K: [Output]], Failure> {
        collect().map { Dictionary(grouping: $0, by: key) }.eraseToAnyPublisher()
    }
    var firstValue: AnyPublisher<Output, Failure> { first().eraseToAnyPublisher() }
}

/// > 2 a a2 2
/// > 3
/// > success(1) success(2) 1 2
/// > 0 1 1 2 1 1 2 1 2 9 2 1
/// > 2 1 1 0 2 1 1 2 1 2
/// > mine 1 2 mine mine 1 2 1 1
func ownOperators() {
    let numbers = [1, 2].publisher
    _ = numbers.withLatestFrom(Just("a")).sink { print($0.0, $0.1, terminator: " ") }
    _ = numbers.withLatestFrom(Just("a")) { "\($1)\($0)" }.sink { print($0, terminator: " ") }
    _ = numbers.flatMapLatest { Just($0 + 1) }.sink { print($0) }
    _ = numbers.materialize().sink { print($0, terminator: " ") }
    _ = numbers.pairwise().sink { print($0.0, $0.1) }
    _ = numbers.enumerated().sink { print($0.0, $0.1, terminator: " ") }
    _ = numbers.sample(Just(1)).sink { print($0, terminator: " ") }
    _ = numbers.concatMap { Just($0) }.sink { print($0, terminator: " ") }
    _ = numbers.amb(Just(9)).sink { print($0, terminator: " ") }
    let (large, small) = numbers.partition { $0 > 1 }
    _ = large.append(small).sink { print($0, terminator: " ") }
    print()
    let out: (Int) -> Void = { print($0, terminator: " ") }
    _ = numbers.takeLast(1).sink(receiveValue: out)
    _ = numbers.dropLast().sink(receiveValue: out)
    _ = numbers.interspersed(with: 0).sink(receiveValue: out)
    _ = numbers.sample(every: 1, scheduler: ImmediateScheduler.shared).sink(receiveValue: out)
    _ = numbers.repeat().sink(receiveValue: out)
    print()
    _ = numbers.retryWhen { $0.prefix(2) }.sink(receiveValue: out)
    _ = Fail<Int, URLProblem>(error: URLProblem()).retryWhen { $0.setFailureType(to: URLProblem.self).prefix(2) }
        .sink(receiveCompletion: { _ in }, receiveValue: out)
    _ = Fail<Int, URLProblem>(error: URLProblem()).retryWhen { $0.prefix(2) }.sink(
        receiveCompletion: { _ in }, receiveValue: out)
    _ = Empty<Int, Never>().switchIfEmpty(numbers).sink(receiveValue: out)
    _ = numbers.groupBy { $0 }.sink { out($0[1]?.count ?? 0) }
    _ = numbers.firstValue.sink(receiveValue: out)
}

struct URLProblem: Error {}
