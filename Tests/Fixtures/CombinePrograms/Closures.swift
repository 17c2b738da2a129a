// Programs as people write them for Combine: functions as closures, tuples, failures of any type. See Operators.swift.
import Dispatch
import Foundation
import Streams
import StreamsFoundation

enum Trouble: Error, Equatable { case bad, worse }
func load(_ id: Int) -> AnyPublisher<String, Error> {
    Just("item \(id)").setFailureType(to: Error.self).eraseToAnyPublisher()
}
func loadNever(_ id: Int) -> AnyPublisher<String, Never> { Just("item \(id)").eraseToAnyPublisher() }
func handle(_ s: String) { print(s, terminator: " ") }
func handle(completion: Subscribers.Completion<Error>) { print(completion) }
struct Service: Sendable {
    func fetch(_ id: Int) -> AnyPublisher<String, Error> { load(id) }
    func double(_ x: Int) -> Int { 2 * x }
}
/// > 1 2 3 2 4 6 item 1 item 2 item 3 finished
/// > item 1 item 2 item 3 finished
/// > item 1 item 2 item 3 finished
/// > item 1 item 2 item 3 item 1 item 2 item 3 1
/// > 1
/// > 2
/// > 1 3 false
/// > 2
/// > [2, 3]
/// > [1, 2]
/// > [1, 2, 3]
/// > 3
func references() {
    let n = [1, 2, 3].publisher
    _ = n.map(String.init).sink(receiveValue: handle)
    _ = n.map(Service().double).map(String.init(describing:)).sink(receiveValue: handle)
    _ = n.setFailureType(to: Error.self).flatMap(load).sink(
        receiveCompletion: handle(completion:), receiveValue: handle)
    _ = n.setFailureType(to: Error.self).flatMap(Service().fetch).sink(receiveCompletion: handle, receiveValue: handle)
    _ = n.flatMap(load).sink { completion in
        print(completion)
    } receiveValue: { value in
        print(value, terminator: " ")
    }
    _ = n.flatMap(maxPublishers: .max(1), loadNever).sink(receiveValue: handle)
    _ = n.map(loadNever).switchToLatest().sink(receiveValue: handle)
    _ = ["1", "x"].publisher.compactMap(Int.init).reduce(0, +).sink { print($0) }
    _ = ["1", ""].publisher.filter(\.isEmpty).count().sink { print($0) }
    _ = [1, 1, 2].publisher.removeDuplicates(by: ==).max(by: <).sink { print($0) }
    _ = [1, 2].publisher.scan(0, +).map(\.description).sink(receiveValue: handle)
    _ = ["a", "b"].publisher.allSatisfy(\.isEmpty).sink { print($0) }
    _ = n.first(where: { $0 > 1 }).sink { print($0) }
    _ = n.output(in: 1...).collect().sink { print($0) }
    _ = n.output(in: ..<2).collect().sink { print($0) }
    _ = n.map(Optional.some).replaceNil(with: 0).collect().sink { print($0) }
    _ = n.map(Optional.init).collect().sink { print($0.count) }
}
/// > 1b
/// > 1 b
/// > 1 b true
/// > 1 b true
/// > 1
/// > 1b
/// > 1
/// > 1
/// > 1
/// > b
func tuples() {
    let a = CurrentValueSubject<Int, Never>(1), b = CurrentValueSubject<String, Never>("b"),
        c = CurrentValueSubject<Bool, Never>(true)
    var bag = Set<AnyCancellable>()
    a.combineLatest(b).map { number, text in "\(number)\(text)" }.sink { print($0) }.store(in: &bag)
    a.combineLatest(b).sink { number, text in print(number, text) }.store(in: &bag)
    a.combineLatest(b).combineLatest(c).map { ab, c in (ab.0, ab.1, c) }.sink { x, y, z in print(x, y, z) }.store(
        in: &bag)
    a.combineLatest(b).combineLatest(c).map { ($0.0, $0.1, $1) }.sink { print($0.0, $0.1, $0.2) }.store(in: &bag)
    a.combineLatest(b, c).filter { $0.2 }.map { $0.0 }.sink { print($0) }.store(in: &bag)
    Publishers.CombineLatest3(a, b, c).map { n, t, f -> String in
        let s = f ? t : ""
        return "\(n)" + s
    }.removeDuplicates().sink { print($0) }.store(in: &bag)
    a.zip(b).map(\.0).sink { print($0) }.store(in: &bag)
    Publishers.CombineLatest4(a, b, c, Just(2.5)).map { $0.0 }.sink { print($0) }.store(in: &bag)
    a.map { (name: "x", value: $0) }.map(\.value).sink { print($0) }.store(in: &bag)
    a.withLatest(b).sink { print($0) }.store(in: &bag)
}
extension Publisher {
    func withLatest<P: Publisher>(_ o: P) -> AnyPublisher<P.Output, Failure> where P.Failure == Failure {
        map { _ in o.first() }.switchToLatest().eraseToAnyPublisher()
    }
}
func branching(_ id: Int) -> AnyPublisher<Int, Error> {
    switch id {
    case 0: return Fail(error: Trouble.bad).eraseToAnyPublisher()
    case 1: return Just(1).setFailureType(to: Error.self).eraseToAnyPublisher()
    case 2: return Future<Int, Error> { promise in promise(.success(2)) }.eraseToAnyPublisher()
    case 3: return Empty().eraseToAnyPublisher()
    case 4: return Result<Int, Error> { throw Trouble.worse }.publisher.eraseToAnyPublisher()
    case 5: return Deferred { Future { $0(.success(5)) } }.eraseToAnyPublisher()
    case 6: return Fail(outputType: Int.self, failure: Trouble.bad as Error).eraseToAnyPublisher()
    case 7:
        return Record { r in
            r.receive(7)
            r.receive(completion: .failure(Trouble.bad))
        }.eraseToAnyPublisher()
    case 8:
        return Deferred<AnyPublisher<Int, Error>> {
            Bool.random()
                ? Just(8).setFailureType(to: Error.self).eraseToAnyPublisher()
                : Result.success(8).publisher.eraseToAnyPublisher()
        }.eraseToAnyPublisher()
    default:
        return (0..<id).publisher.tryMap { i in
            if i > 1 { throw Trouble.worse }
            return i
        }.eraseToAnyPublisher()
    }
}
/// > trouble bad
/// > 1 finished
/// > 2 finished
/// > finished
/// > trouble worse
/// > 5 finished
/// > trouble bad
/// > 7 trouble bad
/// > 8 finished
/// > 0 1 trouble worse
/// > caught bad
/// > -1
/// > 3 finished
/// > void
/// > 7
/// > failure(Closures.Trouble.bad)
/// > failure(Closures.Trouble.bad)
/// > failure(Closures.Trouble.bad)
/// > 1
/// > finished
/// > 1 failure(Closures.Trouble.worse)
func errors() {
    for id in 0..<10 {
        _ = branching(id).sink(
            receiveCompletion: { completion in
                switch completion {
                case .finished: print("finished")
                case .failure(let error as Trouble): print("trouble", error)
                case .failure(let error): print("other", error)
                }
            }, receiveValue: { print($0, terminator: " ") })
    }
    let s = PassthroughSubject<Int, Error>()
    let c = s.mapError { ($0 as? Trouble) ?? .worse }.catch { (e: Trouble) -> AnyPublisher<Int, Never> in
        print("caught", e)
        return Just(-1).eraseToAnyPublisher()
    }.sink { print($0) }
    s.send(completion: .failure(Trouble.bad))
    c.cancel()
    let p: AnyPublisher<Int, Never> = Fail<Int, Error>(error: Trouble.bad).catch { error -> Just<Int> in Just(3) }
        .eraseToAnyPublisher()
    _ = p.sink(
        receiveCompletion: { if case .finished = $0 { print("finished") } },
        receiveValue: { print($0, terminator: " ") })
    _ = Just(1).setFailureType(to: Error.self).tryMap { _ in throw Trouble.bad }.catch { _ in Just(()) }.sink {
        print("void")
    }
    _ = Just("7").tryMap { s throws -> Int in
        guard let i = Int(s) else { throw Trouble.bad }
        return i
    }.mapError { error -> Trouble in (error as? Trouble) ?? .worse }.sink(
        receiveCompletion: { _ in }, receiveValue: { print($0) })
    _ = Fail<Int, Trouble>(error: .bad).flatMap { _ in Just(1) }.sink(
        receiveCompletion: { print($0) }, receiveValue: { _ in })
    _ = Just(1).flatMap { _ in Fail<Int, Trouble>(error: .bad) }.sink(
        receiveCompletion: { print($0) }, receiveValue: { _ in })
    _ = Just(1).map { _ in Fail<Int, Trouble>(error: .bad) }.switchToLatest().sink(
        receiveCompletion: { print($0) }, receiveValue: { _ in })
    _ = Just(1).setFailureType(to: Trouble.self).map { Just($0) }.switchToLatest().sink(
        receiveCompletion: { print($0) }, receiveValue: { print($0) })
    _ = [1, 2].publisher.setFailureType(to: Trouble.self).flatMap { v -> AnyPublisher<Int, Trouble> in
        if v == 2 { return Fail(error: .worse).eraseToAnyPublisher() }
        return Just(v).setFailureType(to: Trouble.self).eraseToAnyPublisher()
    }.sink(receiveCompletion: { print($0) }, receiveValue: { print($0, terminator: " ") })
}
