"""Every operator as people write it, by the types that it fits behind; each says the types that it leaves."""

from values import *

# Beside the operators themselves, what a chain may stand for: an operator is offered as often as it is common.
COMMON, USUAL, RARE = 6, 3, 1


def offers(value, failure, pick):
    """The links that fit behind a value and a failure: (weight, text, value after, failure after).

    `pick` draws from a list.
    """
    found = []

    def add(weight, text_, value_after=value, failure_after=failure):
        found.append((weight, text_, value_after, failure_after))

    for part in (by_value, by_shape, keeping, folding, throwing, failing, joining, timing, sharing, looking):
        part(value, failure, add, pick)
    return found


def by_value(value, failure, add, pick):
    """Closures that know the value's type."""
    if value == INT:
        add(COMMON, pick([".map { $0 + 1 }", ".map { $0 * 2 - 1 }", ".map { $0 * $0 }", ".map { $0 &* 3 }"]))
        add(COMMON, pick([".filter { $0 > 2 }", ".filter { $0 % 2 == 0 }", ".filter { $0 & 1 == 0 }", ".filter { $0 > 1 && $0 < 9 }"]))
        add(USUAL, pick(['.map { "\\($0)" }', ".map { String($0) }", ".map(String.init)", ".map(\\.description)"]), STRING)
        add(USUAL, pick([".map { $0 > 2 }", ".map { $0.isMultiple(of: 2) }"]), BOOL)
        add(USUAL, pick([".map { Double($0) / 2 }", ".map(Double.init)"]), DOUBLE)
        add(USUAL, pick([".map { ($0, String($0)) }", '.map { ($0, "a") }']), tuple_of(INT, STRING))
        add(RARE, ".map { ($0, $0 + 1) }", tuple_of(INT, INT))
        add(USUAL, ".map { $0 > 2 ? $0 : nil }", optional(INT))
        add(USUAL, pick([".map { [$0, $0 + 1] }", ".map { Array(0..<$0) }"]), array(INT))
        add(USUAL, pick([".compactMap { $0 > 3 ? String($0) : nil }", '.compactMap { $0 > 3 ? "\\($0)" : nil }']), STRING)
        add(USUAL, pick(['.map { User(id: $0, name: "x", boss: nil) }', '.map { User(id: $0, name: "\\($0)", boss: $0 - 1) }']), USER)
        add(USUAL, pick([".scan(0, +)", ".scan(0) { $0 + $1 }", ".scan(1) { $0 * $1 + 1 }"]))
        add(USUAL, pick([".reduce(0, +)", ".reduce(0) { $0 + $1 }", ".reduce(0) { $0 &+ $1 }"]))
        add(RARE, '.reduce("") { $0 + "\\($1)" }', STRING)
        # Not `[]`: in front of another literal its elements are any type's to both libraries, which is not Sendable.
        add(RARE, ".scan([Int]()) { $0 + [$1] }", array(INT))
        add(RARE, pick([".map(abs)", ".map { abs($0) }", ".map { max($0, 3) }"]))
        add(RARE, ".map { number in\n        let next = number + 1\n        return next * 2\n    }")
        add(RARE, pick([".contains(3)", ".contains { $0 > 3 }", ".contains(where: { $0 == 2 })", ".allSatisfy { $0 > 0 }"]), BOOL)
        add(USUAL, pick([".drop(while: { $0 < 2 })", ".drop { $0 < 2 }", ".prefix(while: { $0 < 7 })", ".prefix { $0 < 7 }"]))
        add(USUAL, pick([".first(where: { $0 > 1 })", ".first { $0 > 1 }", ".last(where: { $0 > 1 })", ".last { $0 > 1 }"]))
        add(RARE, ".groupBy { $0 % 2 }.flatMap { $0.prefix(2) }")
        add(RARE, ".partition { $0 > 2 }.matching")
    elif value == STRING:
        add(COMMON, pick([".map { $0.count }", ".map(\\.count)"]), INT)
        add(COMMON, pick(['.map { $0 + "!" }', ".map { $0.uppercased() }", '.map { "<\\($0)>" }']))
        add(COMMON, pick([".filter { !$0.isEmpty }", ".filter { $0.count > 2 }", '.filter { $0.hasPrefix("a") }', '.filter { $0 != "x" }']))
        add(USUAL, pick([".compactMap { Int($0) }", ".compactMap(Int.init)"]), INT)
        add(USUAL, ".map { Int($0) }", optional(INT))
        add(USUAL, pick([".map(\\.isEmpty)", ".map { $0.isEmpty }"]), BOOL)
        add(USUAL, pick(['.scan("") { $0 + $1 }', '.scan("", +)', '.reduce("") { $0 + $1 }']))
        add(RARE, ".map { Array($0).map { String($0) } }", array(STRING))
        add(RARE, ".map(\\.count, \\.isEmpty)", tuple_of(INT, BOOL))
        add(RARE, ".map { (1, $0) }", tuple_of(INT, STRING))
        add(RARE, '.contains("b")', BOOL)
        add(RARE, '.replaceEmpty(with: "none")')
    elif value == BOOL:
        add(COMMON, ".map { !$0 }")
        add(COMMON, ".filter { $0 }")
        add(COMMON, ".map { $0 ? 1 : 0 }", INT)
        add(USUAL, '.map { $0 ? "on" : "off" }', STRING)
        add(RARE, ".allSatisfy { $0 }")
    elif value == DOUBLE:
        add(COMMON, pick([".map { $0 * 2 }", ".map { $0 / 3 + 0.5 }", ".map { $0 - 1 }"]))
        add(COMMON, pick([".filter { $0 > 0.5 }", ".filter { $0 < 100 }"]))
        add(COMMON, pick([".map { Int($0) }", ".map { Int($0 * 10) }"]), INT)
        add(USUAL, '.map { "\\($0)" }', STRING)
        add(USUAL, pick([".scan(0) { $0 + $1 }", ".scan(0, +)", ".reduce(0) { ($0 + $1) / 2 }"]))
    elif value == USER:
        add(COMMON, pick([".map(\\.id)", ".map { $0.id }", ".map { $0.id + 1 }"]), INT)
        add(COMMON, pick([".map(\\.name)", ".map { $0.name }", '.map { "\\($0.name) \\($0.id)" }', ".map(\\.name).map { $0.uppercased() }"]), STRING)
        add(COMMON, pick([".filter { $0.id > 1 }", ".filter { $0.boss != nil }", ".filter { !$0.name.isEmpty }"]))
        add(USUAL, pick([".compactMap(\\.boss)", ".compactMap { $0.boss }"]), INT)
        add(USUAL, ".map(\\.boss)", optional(INT))
        add(USUAL, ".map(\\.id, \\.name)", tuple_of(INT, STRING))
        add(RARE, ".map(\\.id, \\.name, \\.boss)", tuple_of(INT, STRING, optional(INT)))
        add(RARE, pick([".removeDuplicates { $0.id == $1.id }", ".removeDuplicates(by: { $0.name == $1.name })"]))
        add(RARE, ".max { $0.id < $1.id }")
        add(RARE, ".groupBy(\\.name).flatMap { $0.first() }")


def by_shape(value, failure, add, pick):
    """Closures that know arrays, optionals and tuples."""
    if is_array(value):
        element = value[1]
        add(COMMON, pick([".map(\\.count)", ".map { $0.count }"]), INT)
        add(COMMON, pick([".filter { !$0.isEmpty }", ".filter { $0.count > 1 }"]))
        add(COMMON, pick([".compactMap(\\.first)", ".compactMap { $0.first }", ".compactMap { $0.last }"]), element)
        add(USUAL, pick([".map { $0.reversed() }", ".map { $0 + $0 }", ".map { Array($0.prefix(2)) }"]))
        add(USUAL, ".map(\\.isEmpty)", BOOL)
        add(USUAL, pick([".flatMap { $0.publisher }", ".flatMap(\\.publisher)"]) if failure == NEVER
            else f".flatMap {{ $0.publisher.setFailureType(to: {metatype(failure)}) }}", element)
        if element == INT:
            add(USUAL, pick([".map { $0.reduce(0, +) }", ".map { $0.reduce(0) { $0 + $1 } }", ".map { $0.filter { $0 > 1 }.count }"]), INT)
            add(USUAL, pick([".map { $0.map { $0 + 1 } }", ".map { $0.sorted { $0 > $1 } }", ".map { $0.sorted() }"]))
        if element == STRING:
            add(USUAL, pick(['.map { $0.joined(separator: ", ") }', ".map { $0.joined() }"]), STRING)
        if element == USER:
            add(USUAL, pick([".map { $0.map(\\.id) }", ".map { $0.map { $0.id } }"]), array(INT))
    elif is_optional(value):
        wrapped = value[1]
        add(COMMON, ".compactMap { $0 }", wrapped)
        add(COMMON, f".replaceNil(with: {literal(wrapped)})", wrapped)
        add(USUAL, f".map {{ $0 ?? {literal(wrapped)} }}", wrapped)
        if is_equatable(value): add(USUAL, pick([".map { $0 == nil }", ".map { $0 != nil }"]), BOOL)
        if wrapped == INT: add(USUAL, pick([".map { ($0 ?? 0) + 1 }", ".map { $0.map { $0 + 1 } ?? 0 }"]), INT)
    elif is_tuple(value):
        first, second = value[1], value[2]
        add(COMMON, pick([".map { $0.0 }", ".map(\\.0)"] + ([".map { first, _ in first }"] if len(value) == 3 else [])), first)
        add(COMMON, pick([".map { $0.1 }", ".map(\\.1)"]), second)
        if value == tuple_of(INT, INT): add(COMMON, pick([".map { $0 + $1 }", ".map { $0.0 * $0.1 }", ".map(+)", ".map { a, b in a - b }"]), INT)
        if value == tuple_of(INT, STRING):
            add(USUAL, pick([".map { $0.0 + $0.1.count }", ".map { number, word in number + word.count }"]), INT)
            add(USUAL, pick(['.map { "\\($0): \\($1)" }', ".map { $0.1 + String($0.0) }"]), STRING)
        if first == INT: add(USUAL, ".filter { $0.0 > 1 }")
        if is_comparable(first): add(RARE, ".min { $0.0 < $1.0 }")
        if is_equatable(first): add(RARE, ".removeDuplicates { $0.0 == $1.0 }")


def keeping(value, failure, add, pick):
    """Operators that let some of the values through, and all types alone."""
    one = literal(value)
    for text_ in (".dropFirst()", ".dropFirst(2)", ".prefix(5)", ".first()", ".last()"): add(2, text_)
    for text_ in (".output(at: 1)", ".output(in: 0..<3)", ".output(in: 1...2)", ".dropLast(1)", ".takeLast(2)", ".prefix(1)"): add(RARE, text_)
    add(USUAL, pick([f".append({one})", f".append({one}, {one})", f".append([{one}, {one}])"]))
    add(USUAL, pick([f".prepend({one})", f".prepend({one}, {one})", f".prepend([{one}])"]))
    add(RARE, f".replaceEmpty(with: {one})")
    add(RARE, f".interspersed(with: {one})")
    add(RARE, ".ignoreOutput().count()", INT)
    add(RARE, ".repeat(2)")
    if is_equatable(value): add(USUAL, pick([".removeDuplicates()", ".removeDuplicates(by: { $0 == $1 })", ".removeDuplicates(by: ==)"]))
    if is_comparable(value): add(USUAL, pick([".min()", ".max()", ".max { $0 < $1 }", ".min(by: { $0 < $1 })", ".max(by: <)"]))
    add(RARE, pick([".filter { _ in true }", ".map { $0 }", ".compactMap { $0 }" if not is_optional(value) else ".map { $0 }"]))


def folding(value, failure, add, pick):
    """Operators that make something else of any value."""
    add(USUAL, pick([".count()", ".map { _ in 1 }"]), INT)
    add(RARE, ".reduce(0) { count, _ in count + 1 }", INT)
    add(RARE, ".scan(0) { count, _ in count + 1 }", INT)
    add(RARE, ".enumerated().map { $0.offset }", INT)
    add(RARE, ".enumerated().map { $0.element }")
    add(RARE, ".measureInterval(using: ImmediateScheduler.shared).map { _ in 1 }", INT)
    add(RARE, pick(['.map { "\\($0)" }', ".map { String(describing: $0) }"]), STRING)
    if depth(value) < 2:
        add(2, pick([".collect()", ".collect(2)"]), array(value))
        add(RARE, ".collect(.byTime(ImmediateScheduler.shared, .seconds(1)))", array(value))
        add(RARE, ".collect(.byTimeOrCount(ImmediateScheduler.shared, .seconds(1), 3))", array(value))
        add(RARE, ".nwise(2)", array(value))
        add(RARE, ".pairwise()", tuple_of(value, value))
    add(RARE, ".materialize().map { _ in 1 }", INT, NEVER)
    add(RARE, '.materialize().map { "\\($0)" }', STRING, NEVER)
    add(RARE, ".materialize().dematerialize()")
    if is_encodable(value):
        add(RARE, ".encode(encoder: Coder())", array(INT), ANY)
    if value == array(INT):
        add(RARE, ".decode(type: Int.self, decoder: Coder())", INT, ANY)
    if value == INT: add(RARE, ".stage(EveryOther())")
    if value == INT: add(RARE, ".fold(Sum())")


def throwing(value, failure, add, pick):
    """The operators whose closures throw."""
    add(2, pick([".tryMap { try checked($0) }", ".tryFilter { _ in try checked(true) }", ".tryCompactMap { try checked($0) }"
                 if not is_optional(value) else ".tryMap { $0 }"]), value, ANY)
    add(RARE, pick([".tryDrop { _ in try checked(false) }", ".tryPrefix { _ in try checked(true) }", ".tryFirst { _ in try checked(true) }",
                    ".tryLast { _ in try checked(true) }", ".tryRemoveDuplicates { _, _ in try checked(false) }",
                    ".tryMin { _, _ in try checked(true) }", ".tryMax { _, _ in try checked(true) }"]), value, ANY)
    add(RARE, pick([".tryContains { _ in try checked(true) }", ".tryAllSatisfy { _ in try checked(true) }"]), BOOL, ANY)
    add(RARE, pick([".tryScan(0) { count, _ in try checked(count + 1) }", ".tryReduce(0) { count, _ in try checked(count) + 1 }"]), INT, ANY)
    if value == INT:
        add(RARE, ".tryMap { number -> Int in\n        guard number > 0 else { throw Fault() }\n        return number - 1\n    }", INT, ANY)


def failing(value, failure, add, pick):
    """Operators of the failure."""
    one = literal(value)
    if failure == NEVER:
        add(COMMON, f".setFailureType(to: {metatype(FAULT)})", value, FAULT)
        add(RARE, f".setFailureType(to: {metatype(ANY)})", value, ANY)
        return
    add(COMMON, f".replaceError(with: {one})", value, NEVER)
    add(USUAL, pick([f".catch {{ _ in Just({one}) }}" if not is_optional(value) else f".catch {{ _ in Just<{text(value)}>(nil) }}",
                     f".catch {{ _ in Empty<{text(value)}, Never>() }}",
                     f".catch {{ _ in Empty<{text(value)}, Never>(completeImmediately: false) }}"]), value, NEVER)
    add(USUAL, pick([".retry(2)", ".retry(1)"]))
    add(RARE, ".assertNoFailure()", value, NEVER)
    add(USUAL, ".mapError { _ in Fault() }", value, FAULT)
    if failure == FAULT: add(USUAL, pick([".mapError { $0 as any Error }", ".mapError { $0 as Error }"]), value, ANY)
    add(RARE, f".tryCatch {{ _ in Empty<{text(value)}, {failure}>() }}", value, ANY)
    add(RARE, ".retry(3, backOff: .constant(.seconds(1)), scheduler: ImmediateScheduler.shared)")
    add(RARE, f".retryWhen {{ $0.map {{ _ in 1 }}.setFailureType(to: {metatype(failure)}) }}")
    add(RARE, '.checkpoint("here").mapError { _ in Fault() }', value, FAULT)


def joining(value, failure, add, pick):
    """Operators that take other publishers."""
    same, number, word = (pick(publishers(kind, failure)) for kind in (value, INT, STRING))
    quiet, flag = pick(publishers(INT, NEVER)), pick(publishers(BOOL, failure))
    add(USUAL, pick([f".merge(with: {same})", f".merge(with: {same}, {pick(publishers(value, failure))})"]))
    add(RARE, f".append({same})")
    add(RARE, f".prepend({same})")
    add(RARE, f".amb({same})")
    add(RARE, f".switchIfEmpty({same})")
    if depth(value) < 2:
        add(USUAL, pick([f".zip({number})", f".combineLatest({number})", f".withLatestFrom({number})"]), tuple_of(value, INT))
        add(RARE, pick([f".zip({word}, {flag})", f".combineLatest({word}, {flag})"]), tuple_of(value, STRING, BOOL))
        add(RARE, f".zip({word}, {flag}, {number})", tuple_of(value, STRING, BOOL, INT))
    if value == INT:
        add(USUAL, pick([f".combineLatest({number}) {{ $0 + $1 }}", f".zip({number}) {{ $0 * $1 }}", f".combineLatest({number}, +)",
                         f".withLatestFrom({number}) {{ $0 + $1 }}", f".zip({number}).map {{ $0 + $1 }}", f".combineLatest({number}).map {{ $0.0 - $0.1 }}"]))
    add(RARE, pick([f".combineLatest({word}) {{ _, word in word }}", f".zip({word}) {{ $1 }}"]), STRING)
    add(RARE, f".sample({number})")
    add(RARE, f".prefix(untilOutputFrom: {quiet})")
    add(RARE, f".drop(untilOutputFrom: {number})")
    add(RARE, ".prefix(during: lifetime)")
    add(RARE, f".window(by: {quiet}).flatMap {{ $0 }}")
    # Publishers made of the values.
    inner = {
        INT: ["Just($0 + 1)", "Just($0).map { $0 + 1 }", "[$0, $0 * 2].publisher", "[$0].publisher.map { $0 + 1 }.filter { $0 > 1 }", "Just($0).delay(for: .seconds(1), scheduler: ImmediateScheduler.shared)"],
        STRING: ['Just($0 + "?")', "Just($0.uppercased())", '[$0, "a"].publisher.map { $0 + "b" }'],
        USER: ["Just($0)", "[$0].publisher.filter { $0.id > 1 }"],
    }.get(value, ["Just($0)"])
    made = pick(inner) + ("" if failure == NEVER else f".setFailureType(to: {metatype(failure)})")
    add(USUAL, f".flatMap {{ {made} }}")
    add(RARE, f".flatMap(maxPublishers: .max(2)) {{ {made} }}")
    add(RARE, pick([f".concatMap {{ {made} }}", f".flatMapLatest {{ {made} }}", f".flatMapFirst {{ {made} }}"]))
    add(USUAL, f".map {{ _ in {number} }}.switchToLatest()", INT)
    add(RARE, f".flatMap {{ _ in {number} }}", INT)
    if value == INT:
        add(RARE, f".flatMap {{ n in {number}.map {{ $0 + n }}.filter {{ $0 > 1 }} }}")
        add(RARE, f".flatMap {{ n in Future<String, {failure}> {{ $0(.success(String(n))) }} }}", STRING)
        add(RARE, f".flatMap {{ n in Deferred {{ {number}.map {{ $0 * n }} }} }}")
    if value == STRING: add(RARE, f".flatMap {{ word in {number}.map {{ _ in word }} }}")
    if failure == NEVER: add(RARE, f".flatMap {{ _ in readings }}", INT, FAULT)
    if failure == FAULT: add(RARE, f".flatMap {{ _ in words }}", STRING)


def timing(value, failure, add, pick):
    """Operators that know time, and those that change threads."""
    scheduler = pick(["ImmediateScheduler.shared"] * 3 + ["DispatchQueue.main"])
    add(USUAL, pick([f".receive(on: {scheduler})", f".subscribe(on: {scheduler})"]))
    add(USUAL, pick([f".debounce(for: .milliseconds(300), scheduler: {scheduler})", f".throttle(for: .seconds(1), scheduler: {scheduler}, latest: true)"]))
    add(USUAL, pick([f".delay(for: .seconds(1), scheduler: {scheduler})", f".timeout(.seconds(5), scheduler: {scheduler})"]))
    add(RARE, f".sample(every: .seconds(1), scheduler: {scheduler})")


def sharing(value, failure, add, pick):
    """Operators that share, buffer and erase."""
    kind = text(value)
    add(USUAL, ".share()")
    add(RARE, ".share(replay: 1)")
    add(RARE, pick([f".multicast {{ PassthroughSubject<{kind}, {failure}>() }}.autoconnect()", f".multicast(subject: PassthroughSubject<{kind}, {failure}>()).autoconnect()",
                    ".multicast { PassthroughSubject() }.autoconnect()"]))
    if failure == NEVER: add(RARE, ".makeConnectable().autoconnect()")
    add(RARE, pick([".buffer(size: 4, prefetch: .byRequest, whenFull: .dropOldest)", ".buffer(size: 9, prefetch: .keepFull, whenFull: .dropNewest)"]))
    add(RARE, pick([".onBackpressureLatest()", ".onBackpressureDrop()", ".onBackpressureBuffer(8)"]))
    add(USUAL, ".eraseToAnyPublisher()")


def looking(value, failure, add, pick):
    """Operators that only look on."""
    add(USUAL, pick([".print()", '.print("stream")']))
    add(USUAL, pick([".handleEvents(receiveOutput: { _ in })", ".handleEvents(receiveOutput: { print($0) })",
                     ".handleEvents(receiveSubscription: { _ in }, receiveCompletion: { _ in }, receiveCancel: {})"]))
    add(RARE, pick([".breakpoint(receiveOutput: { _ in false })", ".breakpointOnError()"]))
    add(RARE, '.debug("stream") { _ in }')
    add(RARE, ".contractChecked()")
