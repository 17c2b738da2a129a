// Programs as people write them for Combine in Swift 5 mode: values, failures and services that are not Sendable. See Models.swift.
import Dispatch
import Foundation
import Streams
import StreamsFoundation

class View {
    var title = ""
    var subviews: [View] = []
}
enum Trouble: Error { case bad(View), json }
protocol UserService {
    func users() -> AnyPublisher<[[String: Any]], Error>
    var current: AnyPublisher<View?, Never> { get }
}
final class Service: UserService {
    private let subject = CurrentValueSubject<View?, Never>(nil)
    var current: AnyPublisher<View?, Never> { subject.eraseToAnyPublisher() }
    lazy var titles: AnyPublisher<String, Never> = { [subject] in
        subject.compactMap { $0?.title }.removeDuplicates().eraseToAnyPublisher()
    }()
    private(set) lazy var shared = subject.share()
    func users() -> AnyPublisher<[[String: Any]], Error> {
        Just(Data(#"[{"name":"Ann","age":3}]"#.utf8))
            .tryMap { data -> [[String: Any]] in
                guard let list = try JSONSerialization.jsonObject(with: data) as? [[String: Any]] else {
                    throw Trouble.json
                }
                return list
            }.eraseToAnyPublisher()
    }
    func show(_ v: View) { subject.send(v) }
}
/// > ["Ann"]
/// > a b
func json() {
    let s: UserService = Service()
    _ = s.users().map { $0.compactMap { $0["name"] as? String } }.sink(
        receiveCompletion: { _ in }, receiveValue: { print($0) })
    let t = Service()
    let c = t.titles.sink { print($0, terminator: " ") }
    let v = View()
    v.title = "a"
    t.show(v)
    t.show(v)
    let w = View()
    w.title = "b"
    t.show(w)
    print()
    c.cancel()
}
/// > ran 4 v1 caught 4
/// > future
/// > 0
/// > changed
/// > 1
/// > 1
/// > ab
func values() {
    let actions = PassthroughSubject<() -> Void, Never>()
    let c = actions.sink { $0() }
    actions.send { print("ran", terminator: " ") }
    let any = PassthroughSubject<Any, Never>()
    let d = any.compactMap { $0 as? Int }.sink { print($0, terminator: " ") }
    any.send("x")
    any.send(4)
    let views = PassthroughSubject<(View, Int), Trouble>()
    let e = views.map { $0.0.title + "\($0.1)" }.catch { _ in Just("caught") }.sink { print($0, terminator: " ") }
    let v = View()
    v.title = "v"
    views.send((v, 1))
    views.send(completion: .failure(.bad(v)))
    _ = Fail<Int, NSError>(error: NSError(domain: "d", code: 4)).sink(
        receiveCompletion: { if case .failure(let e) = $0 { print(e.code) } }, receiveValue: { _ in })
    let f = Future<View, Never> { p in
        DispatchQueue.main.async {}
        let v = View()
        v.title = "future"
        p(.success(v))
    }
    _ = f.map(\.title).sink { print($0) }
    _ = [View(), View()].publisher.map { $0.subviews.count }.reduce(0, +).sink { print($0) }
    _ = Just(View()).handleEvents(receiveOutput: { $0.title = "changed" }).map(\.title).sink { print($0) }
    _ = Just(NSMutableString(string: "m")).map { $0.length }.sink { print($0) }
    _ = Just(1).scan(View()) { v, i in
        v.title = "\(i)"
        return v
    }.map { $0.title }.sink { print($0) }
    _ = ["a", "b"].publisher.reduce(into2: View()) { $0.title += $1 }.sink { print($0.title) }
    c.cancel()
    d.cancel()
    e.cancel()
}
extension Publisher {
    func reduce<T>(into2 initial: T, _ f: @escaping (inout T, Output) -> Void) -> Publishers.Reduce<Self, T> {
        reduce(initial) {
            var r = $0
            f(&r, $1)
            return r
        }
    }
    func assignWeak<R: AnyObject>(to kp: ReferenceWritableKeyPath<R, Output>, on o: R) -> AnyCancellable
    where Failure == Never { sink { [weak o] in o?[keyPath: kp] = $0 } }
    func bind(_ body: @escaping (Output) -> Void) -> AnyCancellable where Failure == Never {
        receive(on: ImmediateScheduler.shared).sink(receiveValue: body)
    }
    func onError(_ f: @escaping (Failure) -> Void) -> AnyPublisher<Output, Failure> {
        handleEvents(receiveCompletion: { if case .failure(let e) = $0 { f(e) } }).eraseToAnyPublisher()
    }
    func mapToResult() -> AnyPublisher<Result<Output, Error>, Never> {
        map { .success($0) }.catch { Just(.failure($0 as Error)) }.eraseToAnyPublisher()
    }
    func sinkResult(_ f: @escaping (Result<Output, Failure>) -> Void) -> AnyCancellable {
        sink(receiveCompletion: { if case .failure(let e) = $0 { f(.failure(e)) } }, receiveValue: { f(.success($0)) })
    }
    func replaceErrorWith(_ v: @autoclosure @escaping () -> Output) -> AnyPublisher<Output, Never> {
        self.catch { _ in Just(v()) }.eraseToAnyPublisher()
    }
    func compact<T>() -> AnyPublisher<T, Failure> where Output == T? { compactMap { $0 }.eraseToAnyPublisher() }
    func log(_ p: String = #function) -> Publishers.HandleEvents<Self> {
        handleEvents(receiveOutput: { Swift.print(p, $0) })
    }
}
/// > log 1
/// > y ["z", "e", "f", "1", "r", "5"]
func customs() {
    let v = View()
    var bag: Set<AnyCancellable> = []
    ["x", "y"].publisher.assignWeak(to: \.title, on: v).store(in: &bag)
    var seen: [String] = []
    Just("z").bind { seen.append($0) }.store(in: &bag)
    Fail<Int, Trouble>(error: .json).onError { _ in seen.append("e") }.mapToResult().sink {
        if case .failure = $0 { seen.append("f") }
    }.store(in: &bag)
    Just(1).flatMapLatest { Just("\($0)") }.sink { seen.append($0) }.store(in: &bag)
    Fail<Int, Trouble>(error: .json).sinkResult { _ in seen.append("r") }.store(in: &bag)
    Fail<Int, Trouble>(error: .json).replaceErrorWith(seen.count).sink { seen.append("\($0)") }.store(in: &bag)
    [1, nil].publisher.compact().log("log").sink { _ in }.store(in: &bag)
    print(v.title, seen)
}
// delegates
protocol SensorDelegate: AnyObject { func sensor(_ s: Sensor, didRead v: Int) }
final class Sensor {
    weak var delegate: SensorDelegate?
    func fire() { delegate?.sensor(self, didRead: 3) }
}
final class SensorProxy: NSObject, SensorDelegate {
    let readings = PassthroughSubject<(Sensor, Int), Never>()
    func sensor(_ s: Sensor, didRead v: Int) { readings.send((s, v)) }
}
/// > read 3
/// > true 1 true
func delegates() {
    let s = Sensor(), p = SensorProxy()
    s.delegate = p
    let c = p.readings.filter { $0.0 === s }.map { $0.1 }.sink { print("read", $0) }
    s.fire()
    c.cancel()
    var n = 0
    let retained = View()
    weak var weakView: View?
    do {
        let view = View()
        weakView = view
        let c = Just(1).sink { [weak view] _ in
            view?.title = "t"
            n += 1
        }
        c.cancel()
    }
    print(weakView == nil, n, retained.title.isEmpty)
}
