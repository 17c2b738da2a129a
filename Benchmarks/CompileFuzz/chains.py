"""Chains of operators as people write them: one expression, closures without types, every type right by construction."""

import random
import re
from dataclasses import dataclass, replace

from operators import offers
from values import *

# Stands in every file in front of the chain. What only Streams has is in OURS.
PRELUDE = """
public struct Fault: Error {}
public struct User: Sendable, Equatable { public var id: Int; public var name: String; public var boss: Int? }
public final class Model: @unchecked Sendable {
    public var int = 0
    public var string = ""
    @Published public var number = 0
}
public func checked<T>(_ value: T) throws -> T { value }
public struct Coder: TopLevelEncoder, TopLevelDecoder {
    public init() {}
    public func encode<T: Encodable>(_ value: T) throws -> [Int] { [] }
    public func decode<T: Decodable>(_ type: T.Type, from input: [Int]) throws -> T { throw Fault() }
}
"""
OURS = """
public struct EveryOther<Failure: Error>: ValueStage {
    public init() {}
    public func makeState() -> Bool { false }
    public func receive(_ input: Int, _ isOdd: inout Bool) -> Stages.Step<Int, Failure> {
        isOdd.toggle()
        return isOdd ? .next(input) : .skip
    }
}
public struct Sum<UpstreamFailure: Error>: ValueFold {
    public init() {}
    public func makeState() -> Int { 0 }
    public func receive(_ input: Int, _ sum: inout Int) -> Folds.Step<UpstreamFailure> {
        sum += input
        return .more
    }
}
public let lifetime = Lifetime()
"""
PARAMETERS = """
    _ numbers: PassthroughSubject<Int, Never>, _ words: CurrentValueSubject<String, Never>, _ users: AnyPublisher<User, Never>,
    _ counter: CurrentValueSubject<Int, Never>, _ switches: PassthroughSubject<Bool, Never>,
    _ readings: PassthroughSubject<Int, Fault>, _ accounts: AnyPublisher<User, Fault>, _ answers: AnyPublisher<Int, any Error>,
    _ model: Model, _ bag: inout Set<AnyCancellable>
"""

SOURCES = [
    ("numbers", INT, NEVER), ("words", STRING, NEVER), ("users", USER, NEVER), ("counter", INT, NEVER), ("switches", BOOL, NEVER),
    ("readings", INT, FAULT), ("accounts", USER, FAULT), ("answers", INT, ANY), ("model.$number", INT, NEVER),
    ("Just(1)", INT, NEVER), ('Just("a")', STRING, NEVER), ("[1, 2, 3].publisher", INT, NEVER), ("(1...9).publisher", INT, NEVER),
    ('["a", "b"].publisher', STRING, NEVER), ("(0..<9).publisher", INT, NEVER), ("Empty<Int, Never>()", INT, NEVER),
    ("Empty<String, Fault>(completeImmediately: false)", STRING, FAULT), ("Fail<Int, Fault>(error: Fault())", INT, FAULT),
    ("Fail(outputType: String.self, failure: Fault())", STRING, FAULT), ("Future<Int, Fault> { $0(.success(1)) }", INT, FAULT),
    ("Future<Int, Never> { promise in promise(.success(1)) }", INT, NEVER), ("Deferred { Just(2) }", INT, NEVER),
    ("Deferred { Future<String, Fault> { $0(.failure(Fault())) } }", STRING, FAULT), ("Optional(3).publisher", INT, NEVER),
    ("Result<Int, Fault>.success(1).publisher", INT, FAULT), ("Record<Int, Fault>(output: [1], completion: .finished)", INT, FAULT),
    ("PassthroughSubject<Double, Never>()", DOUBLE, NEVER), ("CurrentValueSubject<Int?, Never>(nil)", optional(INT), NEVER),
    ("Publishers.Merge(numbers, counter)", INT, NEVER), ("Publishers.CombineLatest(numbers, words)", tuple_of(INT, STRING), NEVER),
    ("Publishers.Zip(numbers, counter)", tuple_of(INT, INT), NEVER), ("Publishers.Zip3(numbers, words, switches)", tuple_of(INT, STRING, BOOL), NEVER),
    ("Publishers.MergeMany([numbers, numbers])", INT, NEVER),
    # Only ours.
    ("AnyPublisher<Int, Fault>.create { emitter in emitter.send(1); return Disposable {} }", INT, FAULT),
    ("ReplaySubject<Int, Never>(bufferSize: 3)", INT, NEVER), ("Publishers.generate(1) { $0 * 2 }", INT, NEVER),
    ("Publishers.generate(1, while: { $0 < 100 }, next: { $0 * 2 })", INT, NEVER),
    ("Publishers.interval(.seconds(1), on: DispatchQueue.main)", INT, NEVER),
    ("Publishers.Timer(every: .seconds(1), on: DispatchQueue.main).map { _ in 1 }", INT, NEVER),
    ("Publishers.timer(after: .seconds(1), on: ImmediateScheduler.shared).map { _ in 1 }", INT, NEVER),
    ("Publishers.Using({ 1 }, publisher: { Just($0) }, dispose: { _ in })", INT, NEVER),
    ("Publishers.zip(numbers.eraseToAnyPublisher(), words.eraseToAnyPublisher())", tuple_of(INT, STRING), NEVER),
    ("Publishers.combineLatest(numbers.eraseToAnyPublisher(), words.eraseToAnyPublisher())", tuple_of(INT, STRING), NEVER),
    ("AsyncStream<Int> { $0.yield(1); $0.finish() }.publisher", INT, NEVER),
]


@dataclass(frozen=True)
class End:
    """What is done with a chain: a statement around it, and what the function around that returns."""

    text: str
    result: str | None
    fits: object = lambda value, failure: True

    def statement(self, chain, value, failure):
        return self.text.replace("CHAIN", chain).replace("VALUE", text(value)).replace("FAILURE", failure)

    def returns(self, value, failure):
        return (self.result or "Void").replace("VALUE", text(value)).replace("FAILURE", failure)


def endless(value, failure): return failure == NEVER


LONG = End("CHAIN.sink(receiveCompletion: { _ in }, receiveValue: { print($0) })", "AnyCancellable")
ENDS = [
    (5, End("CHAIN.sink { _ in }", "AnyCancellable", endless)), (3, End("CHAIN.sink { print($0) }", "AnyCancellable", endless)),
    (2, End("let subscription = CHAIN.sink { value in print(value) }\n    return subscription", "AnyCancellable", endless)),
    (3, LONG), (2, End("CHAIN\n        .sink(receiveCompletion: { print($0) }, receiveValue: { _ in })\n        .store(in: &bag)", None)),
    (3, End("CHAIN.sink { _ in }.store(in: &bag)", None, endless)),
    (2, End("return CHAIN.eraseToAnyPublisher()", "AnyPublisher<VALUE, FAILURE>")),
    (1, End("let stream: AnyPublisher<VALUE, FAILURE> = CHAIN.eraseToAnyPublisher()\n    return stream", "AnyPublisher<VALUE, FAILURE>")),
    (1, End("let stream = CHAIN\n    return stream.sink(receiveCompletion: { _ in }, receiveValue: { _ in })", "AnyCancellable")),
    (1, End("CHAIN.assign(to: \\.int, on: model).store(in: &bag)", None, lambda value, failure: value == INT and failure == NEVER)),
    (1, End("CHAIN.assign(to: \\.string, on: model)", "AnyCancellable", lambda value, failure: value == STRING and failure == NEVER)),
    (1, End("CHAIN.assign(to: &model.$number)", None, lambda value, failure: value == INT and failure == NEVER)),
    (1, End("CHAIN.subscribe(PassthroughSubject())", "AnyCancellable")),
    (1, End("CHAIN.subscribe(PassthroughSubject<VALUE, FAILURE>()).store(in: &bag)", None)),
    (1, End("CHAIN.subscribe(Subscribers.Sink(receiveCompletion: { _ in }, receiveValue: { _ in }))", None)),
    (1, End("for try await value in CHAIN.values { print(value) }", "async", lambda value, failure: failure != NEVER)),
    (1, End("for await value in CHAIN.values { print(value) }", "async", endless)),
    (1, End("print(try await CHAIN.firstValue)", "async")), (1, End("print(try await CHAIN.lastValue)", "async")),
    (1, End("print(try await CHAIN.collected)", "async")), (1, End("for try await value in CHAIN.values(buffering: .latest) { print(value) }", "async", lambda value, failure: failure != NEVER)),
    (1, End("CHAIN.sink(on: MainActor.shared) { _ in }", "AnyCancellable", endless)),
]
LENGTHS = [length for length in range(1, 13) for _ in range(4 if 4 <= length <= 8 else 1)]


def client(library, rest=" {}"):
    """A client's file; without the rest, one that says how long all but a chain takes."""
    return f"import {library}\n{PRELUDE}{OURS if library == 'Streams' else ''}public func chain({PARAMETERS}) {rest}\n"


@dataclass(frozen=True)
class Link:
    """An operator and the types (value, failure) before and after it."""

    text: str
    before: tuple
    after: tuple


@dataclass(frozen=True)
class Chain:
    source: str
    start: tuple
    links: tuple
    end: End

    @property
    def types(self):
        return self.links[-1].after if self.links else self.start

    @property
    def text(self):
        return self.end.statement(self.operators, *self.types)

    @property
    def operators(self):
        """The chain without what is done with it."""
        return self.source + "".join(link.text for link in self.links)

    @property
    def names(self):
        """The operators' and publishers' names, and the schedulers'."""
        found = {re.match(r"\.(\w+)", link.text).group(1) for link in self.links}
        return found.union(
            re.findall(r"(?<=Publishers\.)\w+|ReplaySubject|DispatchQueue|AsyncStream|(?<=\.)create\b", self.operators))

    def file(self, library):
        """A client of one library, with the chain in a function."""
        returns = self.end.returns(*self.types)
        signature = "async throws" if returns == "async" else f"-> {returns}"
        imports = "import Dispatch\n" if "DispatchQueue" in self.text else ""
        return imports + client(library, f"{signature} {{\n    {self.text}\n}}")

    def shorter(self):
        """Chains with less in them, those that lose most first."""
        cuts = [(start, stop) for start in range(len(self.links)) for stop in range(start + 1, len(self.links) + 1)]
        for start, stop in sorted(cuts, key=lambda cut: cut[0] - cut[1]):
            before, after = self.links[start].before, self.links[stop - 1].after
            rest = self.links[:start] + self.links[stop:]
            if stop == len(self.links):
                yield self.ending(replace(self, links=rest))
            elif before == after:
                yield replace(self, links=rest)
            elif start == 0:
                value, failure = after
                yield replace(self, source=f"Empty<{text(value)}, {failure}>()", start=after, links=rest)
        if self.end != LONG: yield replace(self, end=LONG)

    @staticmethod
    def ending(chain):
        return chain if chain.end.fits(*chain.types) else replace(chain, end=LONG)


def make(seed, number):
    """The chain of that number under that seed."""
    draw = random.Random(f"{seed}/{number}")
    source, *start = draw.choice(SOURCES)
    types, links = tuple(start), []
    for _ in range(draw.choice(LENGTHS)):
        found = offers(*types, draw.choice)
        weight, link, *after = draw.choices(found, [offer[0] for offer in found])[0]
        links.append(Link(link, types, tuple(after)))
        types = tuple(after)
    ends = [(weight, end) for weight, end in ENDS if end.fits(*types)]
    end = draw.choices([end for _, end in ends], [weight for weight, _ in ends])[0]
    return Chain(source, tuple(start), tuple(links), end)


def fixed(source, *links, end=ENDS[0][1]):
    """A chain whose types in between nobody needs."""
    return Chain(source, (INT, NEVER), tuple(Link(link, ("?", NEVER), (INT, NEVER)) for link in links), end)


# What broke the compiler or kept it busy once, in the words of the reports; compiled in every run.
FIXED = [
    # "Too many/large bit fields allocated in function", in the optimiser.
    fixed("readings", ".replaceError(with: 4)", ".append(7)", ".append(8)", ".map { $0 + 1 }", ".setFailureType(to: Fault.self)", end=LONG),
    fixed("readings", ".materialize()", '.map { "\\($0)" }', ".filter { !$0.isEmpty }", end=ENDS[1][1]),
    # Seconds of type-checking.
    fixed("numbers", ".append(7)", ".map { $0 + 1 }", ".filter { $0 > 2 }", ".map { $0 + 1 }"),
    fixed("Optional(3).publisher",
        ".last(where: { $0 > 1 })", ".collect(2)", ".map(\\.count)", ".last()", ".removeDuplicates()", ".scan(0) { $0 + $1 }",
        ".map { $0 * 2 - 1 }", ".collect()", '.print("x")'),
    # An initialiser for a sequence beside one for any number of publishers.
    fixed("Publishers.MergeMany([numbers, numbers])",
        ".map { $0 + 1 }", ".reduce(0) { $0 &+ $1 }", ".dropFirst(2)", '.map { "\\($0)" }', '.filter { $0 != "x" }', end=ENDS[1][1]),
    # A key path of a tuple that was a pack's.
    fixed("Publishers.zip(numbers.eraseToAnyPublisher(), words.eraseToAnyPublisher())", ".map(\\.1)", end=LONG),
    # The elements of an array literal, taken for one value of type Any.
    fixed("numbers", ".map { [$0] }", ".append([[1], [2]])", ".map { $0.count + 1 }", ".filter { $0 > 2 }"),
    fixed("(1...9).publisher",
        ".map { $0 &* 3 }", ".filter { $0 & 1 == 0 }", ".map { $0 &+ 1 }", ".reduce(0) { $0 &+ $1 }"),
    fixed("users",
        ".map(\\.id)", ".removeDuplicates()", ".map { $0 + 1 }", ".filter { $0 > 2 }", ".map { $0 * 2 - 1 }", ".scan(0) { $0 + $1 }",
        ".map { $0 - 2 }", ".filter { $0 % 2 == 0 }", ".dropFirst()", ".map { $0 * $0 }", ".map { $0 + 7 }", ".prefix(9)",
        ".map { $0 + 1 }", ".map { $0 * 3 }", ".map { $0 - 4 }", '.map { "\\($0)" }', ".first()", end=ENDS[1][1]),
    fixed("users",
        ".map(\\.name)", ".removeDuplicates()", ".filter { !$0.isEmpty }", ".dropFirst()", ".map(\\.count)", ".prefix(9)", ".collect()",
        ".map(\\.count)", ".last()", ".share()", ".eraseToAnyPublisher()", ".print()"),
]
