import Streams

// One operator five times in a row: with types that grow from one to the next the compiler would give up at the third. In steps, as the
// type checker would take long for the whole.

public typealias Numbers = Publishers.Sequence<ClosedRange<Int>, Never>

public func merged(_ first: Numbers, _ show: @escaping Show) -> AnyCancellable {
    let second = first.merge(with: Empty<Int, Never>())
    let third = second.merge(with: Empty<Int, Never>())
    let fourth = third.merge(with: Empty<Int, Never>())
    let fifth = fourth.merge(with: Empty<Int, Never>())
    return fifth.merge(with: Empty<Int, Never>()).sink(receiveValue: show)
}

public func concatMapped(_ first: Numbers, _ show: @escaping Show) -> AnyCancellable {
    let second = first.concatMap { Just($0) }
    let third = second.concatMap { Just($0) }
    let fourth = third.concatMap { Just($0) }
    let fifth = fourth.concatMap { Just($0) }
    return fifth.concatMap { Just($0) }.sink(receiveValue: show)
}

public func zipped(_ first: Numbers, _ show: @escaping Show) -> AnyCancellable {
    let second = first.zip((1...9).publisher) { $0 &+ $1 }
    let third = second.zip((1...9).publisher) { $0 &+ $1 }
    let fourth = third.zip((1...9).publisher) { $0 &+ $1 }
    let fifth = fourth.zip((1...9).publisher) { $0 &+ $1 }
    return fifth.zip((1...9).publisher) { $0 &+ $1 }.sink(receiveValue: show)
}

public func combined(_ first: Numbers, _ show: @escaping Show) -> AnyCancellable {
    let second = first.combineLatest(Just(1)) { $0 &+ $1 }
    let third = second.combineLatest(Just(1)) { $0 &+ $1 }
    let fourth = third.combineLatest(Just(1)) { $0 &+ $1 }
    let fifth = fourth.combineLatest(Just(1)) { $0 &+ $1 }
    return fifth.combineLatest(Just(1)) { $0 &+ $1 }.sink(receiveValue: show)
}

public func paired(_ first: Numbers, _ show: @escaping Show) -> AnyCancellable {
    let second = first.withLatestFrom(Just(1)) { $0 &+ $1 }
    let third = second.withLatestFrom(Just(1)) { $0 &+ $1 }
    let fourth = third.withLatestFrom(Just(1)) { $0 &+ $1 }
    let fifth = fourth.withLatestFrom(Just(1)) { $0 &+ $1 }
    return fifth.withLatestFrom(Just(1)) { $0 &+ $1 }.sink(receiveValue: show)
}

public func buffered(_ first: Numbers, _ show: @escaping Show) -> AnyCancellable {
    let second = first.buffer(size: 100, prefetch: .byRequest, whenFull: .dropOldest)
    let third = second.buffer(size: 100, prefetch: .byRequest, whenFull: .dropOldest)
    let fourth = third.buffer(size: 100, prefetch: .byRequest, whenFull: .dropOldest)
    let fifth = fourth.buffer(size: 100, prefetch: .byRequest, whenFull: .dropOldest)
    return fifth.buffer(size: 100, prefetch: .byRequest, whenFull: .dropOldest).sink(receiveValue: show)
}

public func shared(_ first: Numbers, _ show: @escaping Show) -> AnyCancellable {
    let second = first.share()
    let third = second.share()
    let fourth = third.share()
    let fifth = fourth.share()
    return fifth.share().sink(receiveValue: show)
}

public func appended(_ first: Numbers, _ show: @escaping Show) -> AnyCancellable {
    let second = first.append(1)
    let third = second.append(1)
    let fourth = third.append(1)
    let fifth = fourth.append(1)
    return fifth.append(1).sink(receiveValue: show)
}

public func caught(_ first: Numbers, _ show: @escaping Show) -> AnyCancellable {
    let second = first.tryMap { $0 }.catch { _ in Just(1) }
    let third = second.tryMap { $0 }.catch { _ in Just(1) }
    let fourth = third.tryMap { $0 }.catch { _ in Just(1) }
    let fifth = fourth.tryMap { $0 }.catch { _ in Just(1) }
    return fifth.tryMap { $0 }.catch { _ in Just(1) }.sink(receiveValue: show)
}

public func retried(_ first: Numbers, _ show: @escaping Show) -> AnyCancellable {
    let second = first.retry(1)
    let third = second.retry(1)
    let fourth = third.retry(1)
    let fifth = fourth.retry(1)
    return fifth.retry(1).sink(receiveValue: show)
}

public func cutOff(_ first: Numbers, _ show: @escaping Show) -> AnyCancellable {
    let second = first.prefix(untilOutputFrom: Empty<Int, Never>(completeImmediately: false))
    let third = second.prefix(untilOutputFrom: Empty<Int, Never>(completeImmediately: false))
    let fourth = third.prefix(untilOutputFrom: Empty<Int, Never>(completeImmediately: false))
    let fifth = fourth.prefix(untilOutputFrom: Empty<Int, Never>(completeImmediately: false))
    return fifth.prefix(untilOutputFrom: Empty<Int, Never>(completeImmediately: false)).sink(receiveValue: show)
}

public func held(_ first: Numbers, _ show: @escaping Show) -> AnyCancellable {
    let second = first.drop(untilOutputFrom: Just(1))
    let third = second.drop(untilOutputFrom: Just(1))
    let fourth = third.drop(untilOutputFrom: Just(1))
    let fifth = fourth.drop(untilOutputFrom: Just(1))
    return fifth.drop(untilOutputFrom: Just(1)).sink(receiveValue: show)
}

public func flatMapped(_ first: Numbers, _ show: @escaping Show) -> AnyCancellable {
    let second = first.flatMap { Just($0) }
    let third = second.flatMap { Just($0) }
    let fourth = third.flatMap { Just($0) }
    let fifth = fourth.flatMap { Just($0) }
    return fifth.flatMap { Just($0) }.sink(receiveValue: show)
}

public func switched(_ first: Numbers, _ show: @escaping Show) -> AnyCancellable {
    let second = first.map { Just($0) }.switchToLatest()
    let third = second.map { Just($0) }.switchToLatest()
    let fourth = third.map { Just($0) }.switchToLatest()
    let fifth = fourth.map { Just($0) }.switchToLatest()
    return fifth.map { Just($0) }.switchToLatest().sink(receiveValue: show)
}

public func mixed(_ first: Numbers, _ show: @escaping Show) -> AnyCancellable {
    let second = first.map { $0 &+ 1 }.filter { $0 >= 0 }.flatMap { Just($0) }.scan(0) { $0 &+ $1 }
    let third = second.map { $0 &+ 1 }.filter { $0 >= 0 }.flatMap { Just($0) }.scan(0) { $0 &+ $1 }
    let fourth = third.map { $0 &+ 1 }.filter { $0 >= 0 }.flatMap { Just($0) }.scan(0) { $0 &+ $1 }
    let fifth = fourth.map { $0 &+ 1 }.filter { $0 >= 0 }.flatMap { Just($0) }.scan(0) { $0 &+ $1 }
    return fifth.map { $0 &+ 1 }.filter { $0 >= 0 }.flatMap { Just($0) }.scan(0) { $0 &+ $1 }.sink(receiveValue: show)
}
