// Programs as people write them for Combine in Swift 5 mode: models that are generic, inherit, or wrap properties. See
// Models.swift.
import Dispatch
import Foundation
import Streams
import StreamsFoundation

struct Item: Identifiable, Equatable {
    var id: Int
    var name: String
    var done = false
}
class Store<State, Action>: ObservableObject {
    @Published private(set) var state: State
    private let reducer: (inout State, Action) -> Void
    init(_ initial: State, reducer: @escaping (inout State, Action) -> Void) {
        state = initial
        self.reducer = reducer
    }
    func send(_ action: Action) { reducer(&state, action) }
    func select<T: Equatable>(_ keyPath: KeyPath<State, T>) -> AnyPublisher<T, Never> {
        $state.map(keyPath).removeDuplicates().eraseToAnyPublisher()
    }
}
struct AppState {
    var items: [Item] = []
    var count = 0
}
enum AppAction { case add(Item), bump }

/// > count 0 items 0 items 1 count 1 items 1 count 2 items 1
func reduxStore() {
    let store = Store<AppState, AppAction>(AppState()) { state, action in
        switch action {
        case .add(let item): state.items.append(item)
        case .bump: state.count += 1
        }
    }
    let c = store.select(\.count).sink { print("count \($0)", terminator: " ") }
    let d = store.$state.map { $0.items.count }.sink { print("items \($0)", terminator: " ") }
    store.send(.add(Item(id: 1, name: "a")))
    store.send(.bump)
    store.send(.bump)
    c.cancel()
    d.cancel()
    print()
}
final class ListModel: ObservableObject {
    @Published var items: [Item] = []
    @Published var selected: Item?
    @Published var query: String = ""
    @Published var error: Error?
    @Published var onTap: (() -> Void)?
    @Published private(set) var visible: [Item] = []
    @Published var isLoading: Bool
    @Published var total: Int
    var cancellables = Set<AnyCancellable>()
    init(isLoading: Bool) {
        self.isLoading = isLoading
        _total = Published(initialValue: 7)
        Publishers.CombineLatest($items, $query)
            .map { items, query in query.isEmpty ? items : items.filter { $0.name.contains(query) } }
            .assign(to: &$visible)
        $selected.compactMap { $0 }.map(\.name).sink { [weak self] name in self?.query = name }.store(in: &cancellables)
    }
}
/// > ["apple", "pear", "pineapple"]
/// > ["apple", "pineapple"] apple 7 true
/// > ["pineapple"] 11
/// > tap
func listModel() {
    let model = ListModel(isLoading: true)
    var log: [String] = []
    let c = model.objectWillChange.sink { _ in log.append("change") }
    model.items.append(Item(id: 1, name: "apple"))
    model.items += [Item(id: 2, name: "pear"), Item(id: 3, name: "pineapple")]
    model.items[0].done.toggle()
    print(model.visible.map(\.name))
    model.selected = model.items[0]
    print(model.visible.map(\.name), model.query, model.total, model.isLoading)
    model.items.removeAll { $0.id == 1 }
    print(model.visible.map(\.name), log.count)
    model.onTap = { print("tap") }
    model.onTap?()
    c.cancel()
}
@dynamicMemberLookup
final class ViewModel<T>: ObservableObject {
    @Published var value: T
    init(_ value: T) { self.value = value }
    subscript<U>(dynamicMember keyPath: WritableKeyPath<T, U>) -> U {
        get { value[keyPath: keyPath] }
        set { value[keyPath: keyPath] = newValue }
    }
}
/// > a b bc 1
func dynamicModel() {
    let m = ViewModel(Item(id: 1, name: "a"))
    let c = m.$value.map(\.name).sink { print($0, terminator: " ") }
    m.name = "b"
    m.name += "c"
    print(m.id)
    c.cancel()
}
class Animal: ObservableObject {
    @Published var name = "x"
    func rename() { name = "animal" }
}
class Dog: Animal {
    @Published var age = 1
    override func rename() {
        super.rename()
        name += "!"
    }
}
protocol Loading: ObservableObject {
    var isLoading: Bool { get }
    var isLoadingPublisher: Published<Bool>.Publisher { get }
}
final class Loader: Loading {
    @Published var isLoading = false
    var isLoadingPublisher: Published<Bool>.Publisher { $isLoading }
    var published: Published<Bool> { _isLoading }
}
func observe<M: Loading>(_ m: M) -> AnyCancellable {
    m.isLoadingPublisher.sink { print("loading \($0)", terminator: " ") }
}
func observeChange<M: ObservableObject>(_ m: M, _ f: @escaping () -> Void) -> AnyCancellable {
    m.objectWillChange.sink { _ in f() }
}
/// > loading false will loading true dog dog dog animal!
func protocols() {
    let l = Loader()
    let c = observe(l)
    let d = observeChange(l) { print("will", terminator: " ") }
    l.isLoading = true
    c.cancel()
    d.cancel()
    let dog = Dog()
    let e = observeChange(dog) { print("dog", terminator: " ") }
    dog.rename()
    dog.age += 1
    print(dog.name)
    e.cancel()
    let any: any ObservableObject = dog
    _ = (any.objectWillChange as any Publisher)
}
@propertyWrapper class UserDefault<Value> {
    let subject: CurrentValueSubject<Value, Never>
    var wrappedValue: Value {
        get { subject.value }
        set { subject.send(newValue) }
    }
    var projectedValue: AnyPublisher<Value, Never> { subject.eraseToAnyPublisher() }
    init(wrappedValue: Value) { subject = .init(wrappedValue) }
}
@propertyWrapper struct PublishedOnMain<Value> {
    @Published var value: Value
    var wrappedValue: Value {
        get { value }
        set { value = newValue }
    }
    var projectedValue: AnyPublisher<Value, Never> {
        mutating get { $value.receive(on: ImmediateScheduler.shared).eraseToAnyPublisher() }
    }
    init(wrappedValue: Value) { value = wrappedValue }
}
final class Settings {
    @UserDefault var volume = 3
    @PublishedOnMain var theme = "dark"
    func watch() -> [AnyCancellable] {
        [$volume.sink { print("v\($0)", terminator: " ") }, $theme.sink { print($0, terminator: " ") }]
    }
}
/// > v3 dark v4 light
func wrappers() {
    let s = Settings()
    let bag = s.watch()
    s.volume = 4
    s.theme = "light"
    bag.forEach { $0.cancel() }
    s.volume = 5
    print()
}
struct Inject { @Published var n = 0 }
/// > 0 3 3
func structPublished() {
    var i = Inject()
    let c = i.$n.sink { print($0, terminator: " ") }
    i.n = 3
    let j = i
    print(j.n)
    c.cancel()
}
// a settable published via keypath; nested object forwarding; array of models
final class Group: ObservableObject {
    @Published var members: [Animal] = [] { didSet { rebind() } }
    private var bag: [AnyCancellable] = []
    private func rebind() {
        bag = members.map { $0.objectWillChange.sink { [weak self] _ in self?.objectWillChange.send() } }
    }
}
/// > 4
func nested() {
    let g = Group()
    var n = 0
    let c = g.objectWillChange.sink { n += 1 }
    g.members = [Animal(), Dog()]
    g.members[0].name = "z"
    g.members[1].rename()
    print(n)
    c.cancel()
}
final class Manual: ObservableObject {
    let objectWillChange = ObservableObjectPublisher()
    var x = 0 { willSet { objectWillChange.send() } }
}
final class Manual2: ObservableObject {
    var objectWillChange: AnyPublisher<Void, Never> { subject.eraseToAnyPublisher() }
    let subject = PassthroughSubject<Void, Never>()
    @Published var y = 0
}
/// > m k
func manual() {
    let m = Manual()
    let c = m.objectWillChange.sink { print("m", terminator: " ") }
    m.x = 1
    let k = Manual2()
    let d = k.objectWillChange.sink { print("k", terminator: " ") }
    k.subject.send()
    k.y = 2
    print()
    c.cancel()
    d.cancel()
}
/// > 2
/// > q
/// > 5
func assigns() {
    let subject = CurrentValueSubject<Int, Never>(0)
    let c = [1, 2].publisher.assign(to: \.value, on: subject)
    print(subject.value)
    let model = ListModel(isLoading: false)
    let d = Just("zz").assign(to: \.query, on: model)
    let e = Just("zz").map(Optional.some).map { _ in Item(id: 9, name: "q") }.map(Optional.init).assign(
        to: \.selected, on: model)
    print(model.query)
    c.cancel()
    d.cancel()
    e.cancel()
    subject.map { "\($0)" }.assign(to: &model.$query)
    subject.send(5)
    print(model.query)
}
