import Streams
import StreamsTesting
import Synchronization
import Testing

@Suite("append, prepend, catch, tryCatch and retry against a model")
struct ArbiterPropertyTests {
    typealias Stream = AnyPublisher<Int, ScriptedError>

    /// What a stream delivers, and whether it fails.
    struct Model: Equatable {
        var values: [Int]
        var failure: Int?
    }

    func make(_ depth: Int, _ random: inout SeededGenerator) -> (Stream, Model) {
        guard depth > 0 else {
            let values = (0..<Int.random(in: 0...4, using: &random)).map { _ in Int.random(in: 0...99, using: &random) }
            let elements = values.publisher.setFailureType(to: ScriptedError.self)
            guard Bool.random(using: &random) else {
                return (elements.eraseToAnyPublisher(), Model(values: values))
            }
            let code = Int.random(in: 0...99, using: &random)
            return (
                elements.append(Fail(error: ScriptedError(code: code))).eraseToAnyPublisher(),
                Model(values: values, failure: code)
            )
        }
        let (first, a) = make(depth - 1, &random)
        let (second, b) = make(depth - 1, &random)
        let joined = Model(values: a.values + b.values, failure: b.failure)
        switch Int.random(in: 0..<6, using: &random) {
        case 0: return (first.append(second).eraseToAnyPublisher(), a.failure == nil ? joined : a)
        case 1: return (second.prepend(first).eraseToAnyPublisher(), a.failure == nil ? joined : a)
        case 2: return (first.catch { _ in second }.eraseToAnyPublisher(), a.failure == nil ? a : joined)
        case 3:
            let attempt = first.tryCatch { error in
                if error.code % 2 == 0 { throw ScriptedError(code: error.code + 1) }
                return second
            }
            .mapError { $0 as? ScriptedError ?? ScriptedError(code: -1) }
            guard let code = a.failure else { return (attempt.eraseToAnyPublisher(), a) }
            return (
                attempt.eraseToAnyPublisher(), code % 2 == 0 ? Model(values: a.values, failure: code + 1) : joined
            )
        case 4:
            return (
                first.replaceError(with: -7).setFailureType(to: ScriptedError.self).eraseToAnyPublisher(),
                a.failure == nil ? a : Model(values: a.values + [-7])
            )
        default:
            let times = Int.random(in: 0...3, using: &random)
            let rounds = a.failure == nil ? 1 : times + 1
            return (
                first.retry(times).eraseToAnyPublisher(),
                Model(values: (0..<rounds).flatMap { _ in a.values }, failure: a.failure)
            )
        }
    }

    @Test("Random trees deliver exactly what the model says, under any demand and up to a random cancel")
    func trees() {
        for seed in UInt64(0)..<500 {
            var random = SeededGenerator(seed: seed)
            let (stream, model) = make(Int.random(in: 1...4, using: &random), &random)
            let returned = Int.random(in: 0...2, using: &random)
            let recorder = ContractRecorder<Int, ScriptedError>(
                initial: .max(Int.random(in: 0...2, using: &random)), onValue: { .max($0 % 3 == 0 ? returned : 0) })
            stream.subscribe(recorder)
            var steps = 0
            let cancelAt = Int.random(in: 0..<20, using: &random)
            while recorder.completions.isEmpty, steps < 2_000 {
                steps += 1
                if steps == cancelAt, seed % 3 == 0 {
                    recorder.cancel()
                    recorder.request(.unlimited)
                    break
                }
                let before = recorder.values.count
                if recorder.requested > model.values.count { break }
                recorder.request(.max(Int.random(in: 1...3, using: &random)))
                #expect(recorder.values.count > before || !recorder.completions.isEmpty, "stalled, seed \(seed)")
            }
            #expect(recorder.values == Array(model.values.prefix(recorder.values.count)), "seed \(seed)")
            if !recorder.state.withLock({ $0.isCancelled }) {
                #expect(recorder.values == model.values, "seed \(seed)")
                let end = model.failure.map { Subscribers.Completion.failure(ScriptedError(code: $0)) } ?? .finished
                #expect(recorder.completions == [end], "seed \(seed)")
            }
            #expect(recorder.breaches == [], "seed \(seed)")
        }
    }

    @Test("A cancel between attempts ends a retry without bound")
    func cancelBetweenAttempts() {
        let attempts = Atomic(0)
        let kept = Mutex<(any Subscription)?>(nil)
        let recorder = ContractRecorder<Int, ScriptedError>(
            initial: .unlimited, onSubscription: { new in kept.withLock { $0 = new } })
        let failing = Deferred { () -> Fail<Int, ScriptedError> in
            if attempts.add(1, ordering: .relaxed).newValue == 200_000 { kept.withLock { $0 }?.cancel() }
            return Fail(error: ScriptedError())
        }
        Publishers.Retry(upstream: failing, retries: nil).subscribe(recorder)
        #expect(attempts.load(ordering: .relaxed) == 200_000)
        #expect(recorder.completions == [])
    }
}
