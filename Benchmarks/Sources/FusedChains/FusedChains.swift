import Streams

// Chains as a client writes them. Nothing on a value's way may be left generic in the code made of them: scripts/fused looks.

public typealias Show = @Sendable (Int) -> Void

public enum ChainError: Error { case some }

public func mapped(_ n: Int, _ show: @escaping Show) -> AnyCancellable {
    (1...n).publisher.map { $0 &+ 1 }.filter { $0 & 1 == 0 }.map { $0 &* 3 }.sink(receiveValue: show)
}

public func reduced(_ numbers: some Publisher<Int, Never>, _ show: @escaping Show) -> AnyCancellable {
    numbers.map { $0 &+ 1 }.filter { $0 & 1 == 0 }.map { $0 &* 3 }.reduce(0) { $0 &+ $1 }.sink(receiveValue: show)
}

public func staged(_ n: Int, _ show: @escaping Show) -> AnyCancellable {
    (1...n).publisher.scan(0) { $0 &+ $1 }.removeDuplicates().compactMap { $0 > 2 ? $0 : nil }.dropFirst(2)
        .prefix(while: { $0 >= 0 }).sink(receiveValue: show)
}

public func throwing(_ n: Int, _ show: @escaping Show) -> AnyCancellable {
    (1...n).publisher.tryMap { number throws -> Int in
        if number < 0 { throw ChainError.some }
        return number
    }
    .mapError { _ in ChainError.some }.map { $0 &+ 1 }.sink(receiveCompletion: { _ in }, receiveValue: show)
}

public func flattened(_ n: Int, _ show: @escaping Show) -> AnyCancellable {
    (1...n).publisher.flatMap { (1...$0).publisher.map { $0 &+ 1 } }.map { $0 &* 3 }.sink(receiveValue: show)
}

public func joined(_ n: Int, _ show: @escaping Show) -> AnyCancellable {
    (1...n).publisher.zip((1...n).publisher).map { $0 &+ $1 }.sink(receiveValue: show)
}

public func sent(_ subject: PassthroughSubject<Int, Never>, _ show: @escaping Show) -> AnyCancellable {
    let subscription = subject.map { $0 &+ 1 }.filter { $0 & 1 == 0 }.sink(receiveValue: show)
    subject.send(1)
    return subscription
}

public func erased(_ n: Int, _ show: @escaping Show) -> AnyCancellable {
    (1...n).publisher.map { $0 &+ 1 }.eraseToAnyPublisher().map { $0 &* 3 }.sink(receiveValue: show)
}

public func emitted(_ n: Int, _ show: @escaping Show) -> AnyCancellable {
    AnyPublisher<Int, Never>.create(.unbounded) { emitter in
        for number in 0..<n { emitter.onNext(number) }
        emitter.onComplete()
        return Disposable {}
    }
    .map { $0 &+ 1 }.sink(receiveValue: show)
}
