import CThread
import TestSupport
import Testing

@testable import StreamsTesting

@Suite("forAll")
struct ForAllTests {
    private func failure(_ property: () throws -> Void) -> PropertyFailure? {
        do {
            try property()
            return nil
        } catch {
            return error as? PropertyFailure
        }
    }

    @Test("A property that draws less when it is tried again is not looked at beyond what it has drawn")
    func changing() {
        var shrinker = Shrinker { $0.isEmpty ? nil : $0 == [0] ? [] : $0 }
        #expect(shrinker.shrink([5]) == [])
    }

    @Test("The seed of the environment comes before that of the call")
    func replayed() throws {
        let found = failure { try forAll("none", .int(in: 0...9), seed: 7) { _ in throw Disproof("never") } }
        if let seed = getenv("STREAMS_SEED").flatMap({ UInt64(String(cString: $0)) }) {
            #expect(found?.seed == seed)
            return
        }
        #expect(found?.seed == 7)
        // A process cannot set its environment beside threads that read it: another one runs this test with a seed.
        let script = "STREAMS_SEED=77 exec \"$0\" --testing-library swift-testing --filter ForAllTests/replayed 2>&1"
        let path = try #require(realpath("/proc/self/exe", nil))
        defer { free(path) }
        let output = try ChildProcess(path: "/bin/sh", ["-c", script, String(cString: path)]).readOutput()
        #expect(output.contains("1 test") && output.contains("passed") && !output.contains("failed"), "\(output)")
    }

    @Test("A counterexample is made as small as it goes")
    func shrinking() throws {
        let numbers = Gen.int(in: 0...1_000).array(upTo: 20)
        let sum = failure {
            try forAll("small sums", numbers, seed: 7) { values in
                if values.reduce(0, +) > 900 { throw Disproof("the sum is \(values.reduce(0, +))") }
            }
        }
        #expect(sum?.counterexample == "[901]")
        #expect(sum?.reason == "the sum is 901")
        let order = failure {
            try forAll("sorted", numbers, seed: 7) { values in
                if values.sorted() != values { throw Disproof("not sorted") }
            }
        }
        #expect(order?.counterexample == "[1, 0]")
        let mapped = failure {
            try forAll("no long words", numbers.map { $0.map { String(repeating: "x", count: $0 % 7) } }, seed: 7) {
                words in
                if words.contains(where: { $0.count > 4 }) { throw Disproof("long") }
            }
        }
        #expect(mapped?.counterexample == "[\"xxxxx\"]")
    }

    @Test("A case is made simpler by an alternative that draws less", arguments: 1...40 as ClosedRange<UInt64>)
    func alternatives(seed: UInt64) {
        let words = Gen<[String]> { choices in
            let word =
                switch choices.int(in: 0...5) {
                case 0: "none"
                case 1: "plain"
                case 4: "counted \(choices.int(in: 0...9))"
                default: "late \(choices.int(in: 0...9)) \(choices.int(in: 0...9))"
                }
            return [word, "then \(choices.int(in: 0...9))"]
        }
        let found = failure {
            try forAll("no words", words, seed: seed) { words in
                if words[0] != "none", words[1] != "then 2" { throw Disproof("words") }
            }
        }
        #expect(found?.counterexample == "[\"plain\", \"then 0\"]")
    }

    @Test("A property that fails now and then is told with what was wrong when it did")
    func nowAndThen() {
        var calls = 0
        let now = failure {
            try forAll("calls", Gen.int(in: 0...9), seed: 7) { _ in
                calls += 1
                if calls == 3 { throw Disproof("the third call") }
            }
        }
        #expect(now?.reason.hasPrefix("the third call\n") == true)
        #expect(now?.reason.contains("held when it was tried again") == true)
    }

    @Test("The printed seed replays the case, first thing")
    func replay() throws {
        func run(seed: UInt64) -> PropertyFailure? {
            failure {
                try forAll("rarely wrong", Gen.int(in: 0...1_000_000), cases: 5_000, seed: seed) { value in
                    if value % 997 == 996 { throw Disproof("\(value)") }
                }
            }
        }
        let first = try #require(run(seed: 1))
        let again = try #require(run(seed: first.seed))
        #expect(first.casesBefore > 0)
        #expect(again.casesBefore == 0)
        #expect(again.counterexample == first.counterexample)
        #expect("\(first)".contains("STREAMS_SEED=\(first.seed)"))
    }

    @Test("A property about what is hardly ever generated is said to show nothing")
    func coverage() throws {
        let report = try forAll("labelled", Gen.bool, cases: 200, seed: 1, labels: { [$0 ? "true" : "false"] }) { _ in }
        #expect(report.labels.values.reduce(0, +) == 200)
        let vacuous = failure {
            try forAll(
                "vacuous", Gen.int(in: 0...9), cases: 200, seed: 1, coverage: ["large": 0.1],
                labels: { $0 > 9 ? ["large"] : [] }
            ) { _ in }
        }
        #expect(vacuous?.reason == "Only 0 of 200 cases were \"large\"; 10.0 % had to be.")
    }

    @Test("Every number of a range comes, its ends included, and no other")
    func ranges() throws {
        var seen: Set<Int> = []
        try forAll("in range", Gen.int(in: -2...2), cases: 300, seed: 3) { value in
            seen.insert(value)
            if !(-2...2).contains(value) { throw Disproof("\(value)") }
        }
        #expect(seen == [-2, -1, 0, 1, 2])
        var choices = Choices(seed: 1)
        #expect((Int.min...Int.max).contains(choices.int(in: .min ... .max)))
    }

    @Test("A generator that draws fewer numbers of the same ones the second time does not stop the search")
    func unsteady() {
        var shrinker = Shrinker { $0 == [5, 0] ? [5] : nil }
        #expect(shrinker.shrink([5, 3]) == [5])
    }

    @Test("What gets simpler by a number and what is behind it is tried to be made simpler in every way again")
    func again() {
        // The second can be made of the first alone.
        var shrinker = Shrinker { [[2, 1], [2]].contains($0) ? $0 : nil }
        #expect(shrinker.shrink([3, 1, 1]) == [2])
    }
}
