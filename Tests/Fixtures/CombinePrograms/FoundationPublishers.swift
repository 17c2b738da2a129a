// Programs as people write them for Combine with Foundation's publishers, schedulers and coders: only the imports differ. See
// Operators.swift.
import Dispatch
import Foundation
import Streams
import StreamsFoundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct Pet: Codable, Equatable, Sendable {
    var name: String
    var age: Int
}

enum PetError: Error { case status(Int), offline, unreadable }

/// Answers in place of a server: what tests of a session install.
final class StubProtocol: URLProtocol {
    override class func canInit(with request: URLRequest) -> Bool { true }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
    override func startLoading() {
        let status = request.url?.path == "/missing" ? 404 : 200
        guard let url = request.url, url.path != "/offline",
            let response = HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: nil)
        else {
            client?.urlProtocol(self, didFailWithError: URLError(.notConnectedToInternet))
            return
        }
        client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
        client?.urlProtocol(self, didLoad: Data(#"{"name":"Rex","age":4}"#.utf8))
        client?.urlProtocolDidFinishLoading(self)
    }
    override func stopLoading() {}
}

struct PetStore: Sendable {
    let session: URLSession = {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [StubProtocol.self]
        return URLSession(configuration: configuration)
    }()

    func pet(at path: String) -> AnyPublisher<Pet, PetError> {
        guard let url = URL(string: "http://pets.invalid/\(path)") else {
            return Fail(error: .unreadable).eraseToAnyPublisher()
        }
        return session.dataTaskPublisher(for: url)
            .tryMap { data, response -> Data in
                let status = (response as? HTTPURLResponse)?.statusCode ?? 0
                guard 200..<300 ~= status else { throw PetError.status(status) }
                return data
            }
            .decode(type: Pet.self, decoder: JSONDecoder())
            .mapError { error in
                switch error {
                case let error as PetError: return error
                case is URLError: return .offline
                default: return .unreadable
                }
            }
            .eraseToAnyPublisher()
    }
}

/// Waits until a stream has ended, and prints what it has delivered.
func show<P: Publisher>(_ publisher: P) {
    let ended = DispatchSemaphore(value: 0)
    let cancellable = publisher.sink(
        receiveCompletion: {
            print($0)
            ended.signal()
        }, receiveValue: { print($0, terminator: " ") })
    ended.wait()
    cancellable.cancel()
}

/// > Pet(name: "Rex", age: 4) finished
func dataTask() {
    show(PetStore().pet(at: "rex"))
}
/// > failure(FoundationPublishers.PetError.status(404))
/// > failure(FoundationPublishers.PetError.offline)
func dataTaskFailures() {
    show(PetStore().pet(at: "missing"))
    show(PetStore().pet(at: "offline"))
}
/// > Rex nobody finished
func dataTasksInParallel() {
    let store = PetStore()
    let names = store.pet(at: "rex").map(\.name)
        .zip(store.pet(at: "offline").map(\.name).replaceError(with: "nobody").setFailureType(to: PetError.self))
        .map { "\($0) \($1)" }
    show(names)
}
/// > 200 with 22 bytes finished
func dataTaskOfRequest() {
    guard let url = URL(string: "http://pets.invalid/rex") else { return }
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    request.httpBody = Data("{}".utf8)
    let answer = PetStore().session.dataTaskPublisher(for: request)
        .map { (($0.response as? HTTPURLResponse)?.statusCode ?? 0, $0.data) }
    show(answer.map { "\($0) with \($1.count) bytes" })
}
/// > attempt attempt attempt none finished
func dataTaskRetried() {
    let pet = PetStore().pet(at: "offline")
        .handleEvents(receiveSubscription: { _ in print("attempt", terminator: " ") })
        .retry(2)
        .map(\.name)
        .replaceError(with: "none")
    show(pet)
}
/// > {"age":3,"name":"Ann"} finished
func encoding() {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    show(Just(Pet(name: "Ann", age: 3)).encode(encoder: encoder).map { String(decoding: $0, as: UTF8.self) })
}
/// > true finished
func propertyList() {
    let pet = Pet(name: "Ann", age: 3)
    show(
        Just(pet).encode(encoder: PropertyListEncoder()).decode(type: Pet.self, decoder: PropertyListDecoder())
            .map { $0 == pet })
}
/// > key not found: age
func decodingFailure() {
    let broken = Just(Data(#"{"name":"Ann"}"#.utf8))
    let cancellable = broken.decode(type: Pet.self, decoder: JSONDecoder()).sink(
        receiveCompletion: { completion in
            if case .failure(DecodingError.keyNotFound(let key, _)) = completion {
                print("key not found: \(key.stringValue)")
            }
        }, receiveValue: { print($0) })
    cancellable.cancel()
}
/// > saved by a
func notificationsOfObject() {
    final class Document: Sendable {
        let name: String
        init(_ name: String) { self.name = name }
    }
    let (a, b) = (Document("a"), Document("b"))
    let saved = Notification.Name("saved")
    let cancellable = NotificationCenter.default.publisher(for: saved, object: a)
        .compactMap { ($0.object as? Document)?.name }
        .sink { print("saved by \($0)") }
    NotificationCenter.default.post(name: saved, object: b)
    NotificationCenter.default.post(name: saved, object: a)
    cancellable.cancel()
    NotificationCenter.default.post(name: saved, object: a)
}
/// > landscape
func firstNotification() {
    let turned = Notification.Name("turned")
    let center = NotificationCenter()
    var bag = Set<AnyCancellable>()
    center.publisher(for: turned).first().map { $0.userInfo?["to"] as? String ?? "?" }
        .sink { print($0) }.store(in: &bag)
    center.post(name: turned, object: nil, userInfo: ["to": "landscape"])
    center.post(name: turned, object: nil, userInfo: ["to": "portrait"])
}
/// > 1 2 3 finished
func operationQueue() {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    show([1, 2, 3].publisher.receive(on: queue))
}
/// > tick 1 tick 2 tick 3
@MainActor func timer() {
    let ended = DispatchSemaphore(value: 0)
    let cancellable = Timer.publish(every: 0.01, on: .main, in: .common).autoconnect()
        .scan(0) { count, _ in count + 1 }
        .prefix(3)
        .sink(
            receiveCompletion: { _ in ended.signal() }, receiveValue: { print("tick \($0)", terminator: " ") })
    runMainLoop(until: ended)
    cancellable.cancel()
}
/// > tick
@MainActor func connectedTimer() {
    let ended = DispatchSemaphore(value: 0)
    let timer = Timer.publish(every: 0.01, on: RunLoop.main, in: .default)
    let cancellable = timer.first().sink { _ in
        print("tick")
        ended.signal()
    }
    let connection = timer.connect()
    runMainLoop(until: ended)
    connection.cancel()
    cancellable.cancel()
}
/// > on the main thread: true
@MainActor func receiveOnMainRunLoop() {
    let ended = DispatchSemaphore(value: 0)
    let cancellable = Just(1).subscribe(on: DispatchQueue.global()).receive(on: RunLoop.main).sink { _ in
        print("on the main thread: \(Thread.isMainThread)")
        ended.signal()
    }
    runMainLoop(until: ended)
    cancellable.cancel()
}
/// > b
@MainActor func debounceOnRunLoop() {
    let ended = DispatchSemaphore(value: 0)
    let subject = PassthroughSubject<String, Never>()
    let cancellable = subject.debounce(for: .milliseconds(20), scheduler: RunLoop.main).sink {
        print($0)
        ended.signal()
    }
    subject.send("a")
    subject.send("b")
    runMainLoop(until: ended)
    cancellable.cancel()
}

@MainActor func runMainLoop(until ended: DispatchSemaphore) {
    while ended.wait(timeout: .now()) == .timedOut {
        _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.01))
    }
}
