// Programs as tutorials show them for Combine in Swift 5 mode: models of one's own. See Models.swift for the plain ones.
import Dispatch
import Foundation
import Streams

class Settings: ObservableObject {
    let objectWillChange = PassthroughSubject<Void, Never>()
    var volume = 0 {
        willSet { objectWillChange.send() }
    }
}

/// > changes from 0
func willChangeOfOnesOwn() {
    let settings = Settings()
    let cancellable = settings.objectWillChange.sink { print("changes from \(settings.volume)") }
    settings.volume = 3
    cancellable.cancel()
}

class Base: ObservableObject {
    @Published var name = "a"
}
final class Derived: Base {
    @Published var number = 0
    var plain = 0
    func touch() {
        objectWillChange.send()
        plain += 1
    }
}

/// > 3 changes
func publishedInSubclass() {
    let model = Derived()
    var changes = 0
    let cancellable = model.objectWillChange.sink { changes += 1 }
    model.name = "b"
    model.number = 1
    model.touch()
    print("\(changes) changes")
    cancellable.cancel()
}

final class Parent: ObservableObject {
    @Published var child = Derived()
    private var bag = Set<AnyCancellable>()
    init() { child.objectWillChange.sink { [weak self] in self?.objectWillChange.send() }.store(in: &bag) }
}

/// > parent changes
func nestedModels() {
    let parent = Parent()
    let cancellable = parent.objectWillChange.sink { print("parent changes") }
    parent.child.number = 7
    cancellable.cancel()
}

final class LoginModel: ObservableObject {
    @Published var name = ""
    @Published var password = ""
    @Published private(set) var isValid = false
    @Published private(set) var message: String?

    init() {
        let isNameValid = $name.map { $0.count >= 3 }.eraseToAnyPublisher()
        let isPasswordValid = $password.map { $0.count >= 6 }
        isNameValid.combineLatest(isPasswordValid) { $0 && $1 }.assign(to: &$isValid)
        $name.dropFirst().filter(\.isEmpty).map { _ in "A name, please." }.assign(to: &$message)
    }
}

/// > false true A name, please.
func loginModel() {
    let model = LoginModel()
    model.name = "ann"
    print(model.isValid, terminator: " ")
    model.password = "secret"
    print(model.isValid, terminator: " ")
    model.name = ""
    print(model.message ?? "none")
}

@propertyWrapper struct Observed<Value> {
    private let subject: CurrentValueSubject<Value, Never>
    init(wrappedValue: Value) { subject = CurrentValueSubject(wrappedValue) }
    var wrappedValue: Value {
        get { subject.value }
        nonmutating set { subject.value = newValue }
    }
    var projectedValue: AnyPublisher<Value, Never> { subject.eraseToAnyPublisher() }
}

/// > 1 2 3
func wrapperOfOnesOwn() {
    struct Holder { @Observed var count = 1 }
    let holder = Holder()
    let cancellable = holder.$count.sink { print($0, terminator: " ") }
    holder.count = 2
    holder.count += 1
    cancellable.cancel()
}

final class Loader {
    var onChange: ((String) -> Void)?
    private var cancellable: AnyCancellable?
    func load(_ text: String) {
        cancellable = Just(text).delay(for: 0.2, scheduler: DispatchQueue(label: "load")).sink { [weak self] in
            self?.onChange?($0)
        }
    }
}

/// > second
func replacedSubscription() {
    let loader = Loader()
    let loaded = DispatchSemaphore(value: 0)
    loader.onChange = {
        print($0)
        loaded.signal()
    }
    loader.load("first")
    loader.load("second")
    loaded.wait()
}
