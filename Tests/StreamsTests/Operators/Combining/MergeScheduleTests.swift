import Streams
import StreamsTesting
import Testing

@Suite("flatMap and switchToLatest under random schedules")
struct MergeScheduleTests {
    typealias Inner = ScriptedSource<[Int]>

    @Test("flatMap keeps order, demand, maxPublishers and its queue's bound under random schedules")
    func flatMapSchedules() {
        for seed in UInt64(0)..<600 {
            var random = SeededGenerator(seed: seed)
            let limit = Int.random(in: 1...4, using: &random)
            let inners = (0..<8).map { _ in Inner() }
            let outer = ScriptedSource<Int>()
            let recorder = ContractRecorder<[Int], ScriptedError>()
            outer.flatMap(maxPublishers: limit == 4 ? .unlimited : .max(limit)) { inners[$0] }
                .subscribe(recorder)
            var sent = [[Int]](repeating: [], count: inners.count)
            var started = 0
            let cancelAt = Int.random(in: 0..<400, using: &random)
            for step in 0..<200 {
                if step == cancelAt { recorder.cancel() }
                switch Int.random(in: 0..<6, using: &random) {
                case 0 where started < inners.count:
                    if outer.send(started) { started += 1 }
                case 1: recorder.request(.max(Int.random(in: 0...3, using: &random)))
                case 2:
                    let index = Int.random(in: 0..<inners.count, using: &random)
                    if inners[index].isSubscribed, Int.random(in: 0..<3, using: &random) == 0 {
                        inners[index].send(completion: .finished)
                    }
                default:
                    let index = Int.random(in: 0..<inners.count, using: &random)
                    let value = [index, sent[index].count]
                    if inners[index].isOpen, inners[index].send(value) { sent[index].append(value[1]) }
                }
                if limit < 4 { #expect(inners.count { $0.isOpen } <= limit, "seed \(seed)") }
                if step < cancelAt {
                    let waiting = sent.reduce(0) { $0 + $1.count } - recorder.values.count
                    #expect(waiting <= (limit == 4 ? inners.count : limit), "seed \(seed)")
                }
            }
            if cancelAt < 200 {
                #expect(outer.isCancelled && inners.allSatisfy { !$0.isOpen }, "seed \(seed)")
            } else {
                recorder.request(.unlimited)
                while started < inners.count, outer.send(started) {
                    inners[started].send(completion: .finished)
                    started += 1
                    for inner in inners where inner.isOpen { inner.send(completion: .finished) }
                    if limit < 4, outer.demand == .none { break }
                }
                for inner in inners where inner.isOpen { inner.send(completion: .finished) }
                outer.send(completion: .finished)
                #expect(recorder.completions == [.finished], "seed \(seed)")
                for index in inners.indices {
                    #expect(recorder.values.filter { $0[0] == index }.map { $0[1] } == sent[index], "seed \(seed)")
                }
            }
            #expect(recorder.breaches == [], "seed \(seed)")
        }
    }

    @Test("switchToLatest delivers a prefix of each inner publisher, in order, under random schedules")
    func switchSchedules() {
        for seed in UInt64(0)..<600 {
            var random = SeededGenerator(seed: seed)
            let outer = ScriptedSource<Inner>()
            let recorder = ContractRecorder<[Int], ScriptedError>()
            outer.switchToLatest().subscribe(recorder)
            var inners: [Inner] = []
            var next = 0
            var unmet = 0
            var expected: [[Int]] = []
            // The model: the newest one's values, one of them waiting at most while there is no demand.
            var waiting: [Int]?
            for _ in 0..<150 {
                switch Int.random(in: 0..<8, using: &random) {
                case 0:
                    let inner = Inner()
                    inners.append(inner)
                    outer.send(inner)
                    waiting = nil
                case 1:
                    let more = Int.random(in: 0...3, using: &random)
                    unmet += more
                    if unmet > 0, let value = waiting {
                        expected.append(value)
                        waiting = nil
                        unmet -= 1
                    }
                    recorder.request(.max(more))
                default:
                    guard let index = inners.indices.randomElement(using: &random) else { continue }
                    let value = [index, next]
                    guard inners[index].send(value) else { continue }
                    next += 1
                    #expect(index == inners.count - 1, "a superseded one was asked, seed \(seed)")
                    if unmet > 0 {
                        unmet -= 1
                        expected.append(value)
                    } else {
                        waiting = value
                    }
                }
                #expect(inners.dropLast().allSatisfy { $0.isCancelled }, "seed \(seed)")
            }
            #expect(recorder.values == expected, "seed \(seed)")
            outer.send(completion: .failure(ScriptedError(code: 1)))
            inners.last?.send([0, next])
            #expect(recorder.values == expected, "FIELD: an inner value after the outer failure, seed \(seed)")
            #expect(recorder.completions == [.failure(ScriptedError(code: 1))], "seed \(seed)")
            #expect(inners.allSatisfy { $0.isCancelled }, "seed \(seed)")
            #expect(recorder.breaches == [], "seed \(seed)")
        }
    }
}
