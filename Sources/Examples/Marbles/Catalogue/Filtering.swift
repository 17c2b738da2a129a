import Streams
import StreamsTesting

/// Fails at a number.
func throwing(at number: Int) -> @Sendable (Int) throws -> Bool {
    { value in
        if value == number { throw TestFailure() }
        return true
    }
}

extension Catalogue {
    /// Operators that leave values out.
    static let filtering: [Diagram] = [
        Diagram("CompactMap", "compactMap", "1---x---3|", "compactMap(Int.init)") { $0.texts.compactMap { Int($0) } },
        Diagram("DropFirst", "dropFirst", "1---2---3---4|", "dropFirst(2)") { $0.texts.dropFirst(2) },
        Diagram("DropLast", "dropLast", "1---2---3---4|", "dropLast(2)") { $0.texts.dropLast(2) },
        Diagram("DropWhile", "drop", "1---3---2---5|", "drop { $0 % 2 == 1 }") { $0.ints.drop { $0 % 2 == 1 } },
        Diagram("DropWhile", "tryDrop", "1---3---2|", "tryDrop(while:), throws at 3") {
            $0.ints.tryDrop(while: throwing(at: 3))
        },
        Diagram("Filter", "filter", "1---2---3---4|", "filter { $0 % 2 == 0 }") { $0.ints.filter { $0 % 2 == 0 } },
        Diagram("First", "first", "1---2---3|", "first()") { $0.texts.first() },
        Diagram("First", "first", "1---2---3---4|", "first { $0 % 2 == 0 }") { $0.ints.first { $0 % 2 == 0 } },
        Diagram("First", "tryFirst", "1---2---3|", "tryFirst(where:), throws at 2") {
            $0.ints.tryFirst { value in
                _ = try throwing(at: 2)(value)
                return false
            }
        },
        Diagram("IgnoreOutput", "ignoreOutput", "1---2---3|", "ignoreOutput()") { $0.texts.ignoreOutput() },
        Diagram("Output", "prefix", "1---2---3---4|", "prefix(2)") { $0.texts.prefix(2) },
        Diagram("Output", "output", "a---b---c|", "output(at: 1)") { $0.texts.output(at: 1) },
        Diagram("Output", "output", "a---b---c---d|", "output(in: 1...2)") { $0.texts.output(in: 1...2) },
        Diagram("PrefixWhile", "prefix", "1---2---3---1|", "prefix { $0 < 3 }") { $0.ints.prefix { $0 < 3 } },
        Diagram("PrefixWhile", "tryPrefix", "1---2---3|", "tryPrefix(while:), throws at 2") {
            $0.ints.tryPrefix(while: throwing(at: 2))
        },
        Diagram("RemoveDuplicates", "removeDuplicates", "1-1-2-2-1|", "removeDuplicates { $0 == $1 }") {
            $0.texts.removeDuplicates { $0 == $1 }
        },
        Diagram("RemoveDuplicates", "tryRemoveDuplicates", "1-1-2-2-1|", "tryRemoveDuplicates, throws at 2") {
            $0.ints.tryRemoveDuplicates { last, value in
                _ = try throwing(at: 2)(value)
                return last == value
            }
        },
        Diagram("RemoveDuplicates", "removeDuplicates", "1-1-2-2-1|", "removeDuplicates()") {
            $0.texts.removeDuplicates()
        },
        Diagram("TryCompactMap", "tryCompactMap", "1---x---3|", "tryCompactMap, throws at x") {
            $0.texts.tryCompactMap { text -> Int? in
                guard let number = Int(text) else { throw TestFailure() }
                return number
            }
        },
        Diagram("TryFilter", "tryFilter", "1---2---3|", "tryFilter, throws at 3") {
            $0.ints.tryFilter(throwing(at: 3))
        },
    ]

    /// Operators that make one result of all values.
    static let folding: [Diagram] = [
        Diagram("Contains", "contains", "1---2---3|", "contains { $0 % 2 == 0 }") { $0.ints.contains { $0 % 2 == 0 } },
        Diagram("Contains", "tryContains", "1---2---3|", "tryContains(where:), throws at 2") {
            $0.ints.tryContains { try !throwing(at: 2)($0) }
        },
        Diagram("AllSatisfy", "allSatisfy", "1---2---3|", "allSatisfy { $0 < 2 }") { $0.ints.allSatisfy { $0 < 2 } },
        Diagram("AllSatisfy", "tryAllSatisfy", "1---2---3|", "tryAllSatisfy, throws at 2") {
            $0.ints.tryAllSatisfy(throwing(at: 2))
        },
        Diagram("Contains", "contains", "1---2---3|", "contains(2)") { $0.ints.contains(2) },
        Diagram("Last", "last", "1---2---3|", "last()") { $0.texts.last() },
        Diagram("Last", "last", "1---2---3|", "last { $0 % 2 == 0 }") { $0.ints.last { $0 % 2 == 0 } },
        Diagram("Last", "tryLast", "1---2---3|", "tryLast(where:), throws at 2") {
            $0.ints.tryLast(where: throwing(at: 2))
        },
        Diagram("Last", "takeLast", "1---2---3|", "takeLast(2)") { $0.texts.takeLast(2) },
        Diagram("MinMax", "min", "3---1---2|", "min { $0 < $1 }") { $0.ints.min { $0 < $1 } },
        Diagram("MinMax", "max", "3---1---2|", "max { $0 < $1 }") { $0.ints.max { $0 < $1 } },
        Diagram("MinMax", "tryMin", "3---1---2|", "tryMin, throws at 1") {
            $0.ints.tryMin {
                _ = try throwing(at: 1)($0)
                return $0 < $1
            }
        },
        Diagram("MinMax", "tryMax", "3---1---2|", "tryMax, throws at 1") {
            $0.ints.tryMax {
                _ = try throwing(at: 1)($1)
                return $0 < $1
            }
        },
        Diagram("MinMax", "min", "3---1---2|", "min()") { $0.ints.min() },
        Diagram("MinMax", "max", "3---1---2|", "max()") { $0.ints.max() },
        Diagram("Reduce", "reduce", "1---2---3|", "reduce(0, +)") { $0.ints.reduce(0, +) },
        Diagram("Reduce", "tryReduce", "1---2---3|", "tryReduce, throws at 2") {
            $0.ints.tryReduce(0) { sum, value in
                _ = try throwing(at: 2)(value)
                return sum + value
            }
        },
        Diagram("Reduce", "collect", "1---2---3|", "collect()") { $0.ints.collect() },
        Diagram("Reduce", "count", "a---b---c|", "count()") { $0.texts.count() },
        Diagram("Folded", "fold", "1---2---3|", "fold(Sum())") { $0.ints.fold(Sum()) },
    ]
}

/// Adds up.
private struct Sum: ValueFold {
    func makeState() -> Int { 0 }
    func receive(_ input: Int, _ sum: inout Int) -> Folds.Step<TestFailure> {
        sum += input
        return .more
    }
}
