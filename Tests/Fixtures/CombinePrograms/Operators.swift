// Programs as people write them for Combine, one for each operator: only the import differs. The comment in front of each is
// what it prints. scripts/combine-programs compiles and runs them in Swift 5 and Swift 6 mode.
import Streams

enum Trouble: Error, Equatable { case bad, worse }

/// > 1 4 9
func map() {
    _ = [1, 2, 3].publisher.map { $0 * $0 }.sink { print($0, terminator: " ") }
}
/// > 3 5
func mapKeyPath() {
    _ = ["one", "three"].publisher.map(\.count).sink { print($0, terminator: " ") }
}
/// > 1 2 failure(Operators.Trouble.bad)
func tryMap() {
    _ = [1, 2, 3].publisher.tryMap { n -> Int in
        if n == 3 { throw Trouble.bad }
        return n
    }.sink(receiveCompletion: { print($0) }, receiveValue: { print($0, terminator: " ") })
}
/// > failure(Operators.Trouble.worse)
func mapError() {
    _ = Fail<Int, Trouble>(error: .bad).mapError { _ in Trouble.worse }
        .sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
}
/// > 1 3 6 10
func scan() {
    _ = (1...4).publisher.scan(0) { $0 + $1 }.sink { print($0, terminator: " ") }
}
/// > 1 3 failure(Operators.Trouble.bad)
func tryScan() {
    _ = (1...4).publisher.tryScan(0) { sum, n -> Int in
        guard n < 3 else { throw Trouble.bad }
        return sum + n
    }.sink(receiveCompletion: { print($0) }, receiveValue: { print($0, terminator: " ") })
}
/// > 0 1 0
func replaceNil() {
    _ = [nil, 1, nil].publisher.replaceNil(with: 0).sink { print($0, terminator: " ") }
}
/// > 2 4 6
func filter() {
    _ = (1...6).publisher.filter { $0 % 2 == 0 }.sink { print($0, terminator: " ") }
}
/// > 2 failure(Operators.Trouble.bad)
func tryFilter() {
    _ = (1...6).publisher.tryFilter { n in
        if n == 3 { throw Trouble.bad }
        return n % 2 == 0
    }.sink(receiveCompletion: { print($0) }, receiveValue: { print($0, terminator: " ") })
}
/// > 1 3
func compactMap() {
    _ = ["1", "x", "3"].publisher.compactMap { Int($0) }.sink { print($0, terminator: " ") }
}
/// > 1 failure(Operators.Trouble.worse)
func tryCompactMap() {
    _ = ["1", "x"].publisher.tryCompactMap { text -> Int? in
        guard let number = Int(text) else { throw Trouble.worse }
        return number
    }.sink(receiveCompletion: { print($0) }, receiveValue: { print($0, terminator: " ") })
}
/// > 1 2 3 1
func removeDuplicates() {
    _ = [1, 1, 2, 3, 3, 1].publisher.removeDuplicates().sink { print($0, terminator: " ") }
}
/// > a B
func removeDuplicatesBy() {
    _ = ["a", "A", "B", "b"].publisher.removeDuplicates { $0.lowercased() == $1.lowercased() }
        .sink { print($0, terminator: " ") }
}
/// > nothing
func replaceEmpty() {
    _ = Empty<String, Never>().replaceEmpty(with: "nothing").sink { print($0) }
}
/// > 7 finished
func replaceError() {
    _ = Fail<Int, Trouble>(error: .bad).replaceError(with: 7)
        .sink(receiveCompletion: { print($0) }, receiveValue: { print($0, terminator: " ") })
}
/// > [1, 2] [3, 4] [5]
func collectCount() {
    _ = (1...5).publisher.collect(2).sink { print($0, terminator: " ") }
}
/// > [1, 2, 3]
func collect() {
    _ = (1...3).publisher.collect().sink { print($0) }
}
/// > finished
func ignoreOutput() {
    _ = (1...3).publisher.ignoreOutput().sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
}
/// > abc
func reduce() {
    _ = ["a", "b", "c"].publisher.reduce("", +).sink { print($0) }
}
/// > failure(Operators.Trouble.bad)
func tryReduce() {
    _ = [1, 0].publisher.tryReduce(10) { a, b -> Int in
        guard b != 0 else { throw Trouble.bad }
        return a / b
    }.sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
}
/// > 3
func count() {
    _ = ["a", "b", "c"].publisher.count().sink { print($0) }
}
/// > 9 -1
func maxAndMin() {
    _ = [3, 9, -1].publisher.max().sink { print($0, terminator: " ") }
    _ = [3, 9, -1].publisher.min().sink { print($0) }
}
/// > watermelon
func maxBy() {
    _ = ["fig", "watermelon", "plum"].publisher.max { $0.count < $1.count }.sink { print($0) }
}
/// > true false
func contains() {
    _ = (1...3).publisher.contains(2).sink { print($0, terminator: " ") }
    _ = (1...3).publisher.contains { $0 > 3 }.sink { print($0) }
}
/// > true
func allSatisfy() {
    _ = [2, 4].publisher.allSatisfy { $0.isMultiple(of: 2) }.sink { print($0) }
}
/// > 3 4
func dropFirst() {
    _ = (1...4).publisher.dropFirst(2).sink { print($0, terminator: " ") }
}
/// > 3 1
func dropWhile() {
    _ = [1, 2, 3, 1].publisher.drop { $0 < 3 }.sink { print($0, terminator: " ") }
}
/// > 1 2
func prefix() {
    _ = (1...4).publisher.prefix(2).sink { print($0, terminator: " ") }
}
/// > 1 2
func prefixWhile() {
    _ = [1, 2, 3, 1].publisher.prefix { $0 < 3 }.sink { print($0, terminator: " ") }
}
/// > 1 4
func firstAndLast() {
    _ = (1...4).publisher.first().sink { print($0, terminator: " ") }
    _ = (1...4).publisher.last().sink { print($0) }
}
/// > 3 2
func firstAndLastWhere() {
    _ = (1...4).publisher.first { $0 > 2 }.sink { print($0, terminator: " ") }
    _ = (1...4).publisher.last { $0 < 3 }.sink { print($0) }
}
/// > c b c
func output() {
    let letters = ["a", "b", "c", "d"].publisher
    _ = letters.output(at: 2).sink { print($0, terminator: " ") }
    _ = letters.output(in: 1...2).sink { print($0, terminator: " ") }
}
/// > 0 1 2 3 4 5
func appendAndPrepend() {
    _ = [2, 3].publisher.append(4, 5).prepend([0, 1]).sink { print($0, terminator: " ") }
}
/// > 1 2 8 9
func appendPublisher() {
    _ = [1, 2].publisher.append([8, 9].publisher).sink { print($0, terminator: " ") }
}
