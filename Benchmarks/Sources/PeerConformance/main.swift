import Foundation
import OpenCombine
import Streams
import StreamsTesting

// peer-conformance: what the conformance kit, interleavings and models say of OpenCombine's operators. Each is checked in a
// process of its own, because some don't survive it: a crash is a finding too.
//
// peer-conformance [NAME]

typealias Inputs = [Ours<Streams.AnyPublisher<Int, TestFailure>>]

/// Writes at once: the next thing may be a crash.
func say(_ text: String, terminator: String = "\n") {
    FileHandle.standardOutput.write(Data((text + terminator).utf8))
}

let selected = CommandLine.arguments.dropFirst().first
var found = 0

/// Whether to check that operator here. If not, a child has done it, and what it printed is printed.
@MainActor func isHere(_ name: String) -> Bool {
    if let selected { return selected == name }
    let child = Process()
    let output = Pipe()
    child.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
    child.arguments = [name]
    child.standardOutput = output
    child.standardError = FileHandle.nullDevice
    do { try child.run() } catch {
        say("\(name): cannot be run: \(error)")
        return false
    }
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    child.waitUntilExit()
    say(text, terminator: "")
    if child.terminationReason == .uncaughtSignal {
        found += text.filter { $0 == "\n" }.count
        say("    the program crashes (signal \(child.terminationStatus))")
    } else {
        found += Int(child.terminationStatus)
    }
    return false
}

/// Checks an operator of OpenCombine's, and prints what it breaks.
@MainActor func check<P: OpenCombine.Publisher & SendableMetatype>(
    _ name: String, inputs: Int = 1, fed: Int? = nil, interleaved: Bool = true,
    model: OperatorModel<P.Output>? = nil, traits: OperatorTraits = [.dependsOnDemand, .hotOnly],
    _ make: @escaping @Sendable (Inputs) -> P
) where P.Output: Equatable & Sendable {
    guard isHere(name) else { return }
    var breaches = 0
    func report(_ breach: String) {
        breaches += 1
        say("    \(breach)")
    }
    say("\(name):")
    let conformance = Conformance<P.Output>(name, inputs: fed ?? inputs) { upstreams in
        let numbers = Streams.Publishers.Sequence<Range<Int>, TestFailure>(sequence: 0..<100)
        let others = (upstreams.count..<inputs).map { _ in Streams.AnyPublisher(numbers) }
        return Peer(base: make((upstreams + others).map { Ours(base: $0) }))
    }
    for rule in conformance.rules {
        // One by one, so that what is known by then is printed if one of them crashes.
        let others = Set(ConformanceRule.allCases).subtracting([rule])
        let single = Conformance<P.Output>(name, inputs: fed ?? inputs, except: others, make: conformance.make)
        for result in single.results() where result.isBroken { report(result.description) }
    }
    func note(_ label: String, _ body: () throws -> PropertyReport) {
        do { _ = try body() } catch {
            let lines = "\(error)".split(separator: "\n").dropFirst().prefix { !$0.hasPrefix("To replay") }
            report("\(label): " + lines.joined(separator: "\n          "))
        }
    }
    if interleaved {
        note("interleavings") {
            try InterleavingProperty<P.Output>(name, inputs: inputs) { Peer(base: make($0.map { Ours(base: $0) })) }
                .check(cases: 2_000, seed: 1)
        }
    }
    if let model {
        note("model") {
            try OperatorProperty(name, inputs: inputs, traits, model: model) { upstreams, _ in
                Peer(base: make(upstreams.map { Ours(base: $0) }))
            }.check(cases: 2_000, seed: 1)
        }
    }
    found += breaches
    if breaches == 0 { say("    nothing found") }
}

let everything = OperatorModel<Int>.values { values, end in .init(values, end) }

check("map") { $0[0].map { $0 + 1 } }
check("filter") { $0[0].filter { $0 % 2 == 0 } }
check("scan") { $0[0].scan(0, +) }
check("prefix") { $0[0].prefix(3) }
check("first(where:)") { $0[0].first { $0 == 2 } }
check("drop(while:)") { $0[0].drop { $0 < 2 } }
check("collect") { $0[0].collect() }
check("collect(2)") { $0[0].collect(2) }
check("reduce") { $0[0].reduce(0, +) }
check("append") { $0[0].append(7, 8) }
check("replaceError") { $0[0].replaceError(with: 9) }
check("catch") { $0[0].catch { _ in OpenCombine.Just(9) } }
check("retry", traits: [.dependsOnDemand, .coldOnly]) { $0[0].retry(1) }
check("flatMap", inputs: 3, fed: 1) { inputs in inputs[0].flatMap { inputs[1 + $0 % 2] } }
check(
    "switchToLatest", inputs: 3, fed: 1,
    model: .schedule { schedule in
        var current = 0
        var isOuterDone = false
        var outcome = OperatorModel<Int>.Outcome([])
        for (input, signal) in schedule where outcome.end == nil {
            switch (input, signal) {
            case (0, .value(let value)): current = 1 + value % 2
            case (0, .failure(let label)): outcome.end = .failed(label)
            case (0, _): isOuterDone = true
            case (current, .value(let value)): outcome.values.append(value)
            case (current, .failure(let label)): outcome.end = .failed(label)
            case (current, _): current = 0
            default: break
            }
            if isOuterDone, current == 0, outcome.end == nil { outcome.end = .finished }
        }
        return outcome
    }
) { inputs in inputs[0].map { inputs[1 + $0 % 2] }.switchToLatest() }
check("zip", inputs: 2) { inputs in inputs[0].zip(inputs[1]) { [$0, $1] } }
check("buffer", model: everything) { $0[0].buffer(size: 10, prefetch: .byRequest, whenFull: .dropNewest) }
check("share", model: everything) { $0[0].share() }
check("receive(on: immediate)") { $0[0].receive(on: OpenCombine.ImmediateScheduler.shared) }
check("handleEvents") { $0[0].handleEvents(receiveOutput: { _ in }) }
check("multicast, autoconnect") { inputs in
    inputs[0].multicast { OpenCombine.PassthroughSubject<Int, TestFailure>() }.autoconnect()
}

/// Checks something that takes more than one subscriber, or none of the upstreams' signals.
@MainActor func expect(_ name: String, _ breach: String, _ isKept: () -> Bool) {
    guard isHere(name) else { return }
    let isKept = isKept()
    if !isKept { found += 1 }
    say("\(name):\n    \(isKept ? "nothing found" : breach)")
}

expect("buffer, its own failure", "an overflow's failure is withheld until the next request") {
    let source = TestPublisher<Int>(.hot)
    let subscriber = RecordingSubscriber<Int, TestFailure>(demand: .upTo(0))
    Peer(
        base: Ours(base: source.eraseToAnyPublisher()).buffer(
            size: 1, prefetch: .byRequest, whenFull: .customError { TestFailure("full") })
    ).subscribe(subscriber)
    for value in 1...3 { source.send(value) }
    return subscriber.completion != nil
}
expect("share, one subscriber cancelled twice", "the other one lost its upstream") {
    let source = TestPublisher<Int>(.hot)
    let shared = Ours(base: source.eraseToAnyPublisher()).share()
    let (first, second) = (Canceller(), Canceller())
    shared.subscribe(first)
    shared.subscribe(second)
    first.subscription?.cancel()
    first.subscription?.cancel()
    return source.isOpen
}
if selected != nil { exit(Int32(found)) }
say("\n\(found) breaches found")

/// A peer's subscriber that keeps its subscription.
final class Canceller: OpenCombine.Subscriber {
    typealias Input = Int
    typealias Failure = TestFailure
    var subscription: (any OpenCombine.Subscription)?

    func receive(subscription: any OpenCombine.Subscription) {
        self.subscription = subscription
        subscription.request(.unlimited)
    }
    func receive(_ input: Int) -> OpenCombine.Subscribers.Demand { .none }
    func receive(completion: OpenCombine.Subscribers.Completion<TestFailure>) {}
}
