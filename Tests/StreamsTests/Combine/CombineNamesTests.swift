import Dispatch
import Foundation
import Streams
import StreamsTesting
import Testing

@Suite("Names that code written for Combine uses")
struct CombineNamesTests {
    // Not Sendable, as most models are not.
    private class Base: ObservableObject {
        @Published var count = 0
    }

    private final class Model: Base {
        @Published var title = ""
    }

    @Test("An observable object tells of its properties' changes, a superclass's included, before they happen")
    func observableObject() {
        let model = Model()
        let told = Recorded<Int>(0)
        #expect(model.objectWillChange === model.objectWillChange)
        let sink = model.objectWillChange.sink { told.update { $0 += 1 } }
        model.count = 1
        model.title = "a"
        #expect(told.value == 2)
        Just("b").assign(to: &model.$title)
        #expect(told.value == 3 && model.title == "b")
        sink.cancel()
        model.count = 2
        #expect(told.value == 3)
    }

    @MainActor
    @Test("An observable object's publisher sends before the property has changed")
    func sendsBefore() {
        @MainActor final class Counter: ObservableObject {
            @Published var count = 1
        }
        let counter = Counter()
        let seen = Recorded<[Int]>([])
        let sink = counter.objectWillChange.sink { [weak counter] in
            guard let count = MainActor.assumeIsolated({ counter?.count }) else { return }
            seen.update { $0.append(count) }
        }
        counter.count = 2
        #expect(seen.value == [1])
        sink.cancel()
    }

    @Test("A span of Dispatch's time is a literal in seconds, or made of Dispatch's own")
    func strides() {
        typealias Stride = DispatchQueue.SchedulerTimeType.Stride
        #expect((0.3 as Stride) == .milliseconds(300))
        #expect((2 as Stride) == .seconds(2))
        #expect(Stride(.milliseconds(5)) == .milliseconds(5))
        #expect(Stride(.never) == Stride(magnitude: .max))
        #expect(Stride.seconds(.max) == Stride(magnitude: .max) && Stride.seconds(.min) == Stride(magnitude: .min))
        let (early, late) = (DispatchTime(uptimeNanoseconds: 1_000), DispatchTime(uptimeNanoseconds: 5_000))
        let moment = DispatchQueue.SchedulerTimeType(early)
        #expect(moment.distance(to: .init(late)) == .microseconds(4))
        #expect(DispatchQueue.SchedulerTimeType(late).distance(to: moment) == .microseconds(-4))
        let scheduler = VirtualTimeScheduler()
        let recorder = RecordingSubscriber<Int, Never>()
        Just(1).delay(for: 0.5, scheduler: scheduler).subscribe(recorder)
        scheduler.advance(by: 0.4)
        #expect(recorder.values == [])
        scheduler.advance(by: 0.1)
        #expect(recorder.values == [1])
    }

    @Test("Demand is compared with counts on either side, as unlimited is more than any")
    func demandAndCounts() {
        let two = Subscribers.Demand.max(2)
        #expect(two == 2 && 2 == two && two != 3 && 3 != two)
        #expect(two < 3 && two <= 2 && two > 1 && two >= 2)
        #expect(1 < two && 2 <= two && 3 > two && 2 >= two)
        let all = Subscribers.Demand.unlimited
        #expect(all > .max && all >= .max && all != .max)
        #expect(!(all < .max) && !(all <= .max) && .max < all)
    }

    @Test("Demand, completions and records are encoded in Combine's format")
    func coding() throws {
        func text(_ value: some Encodable) throws -> String {
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            return String(decoding: try encoder.encode(value), as: UTF8.self)
        }
        func decoded<T: Codable>(_ value: T) throws -> T {
            try JSONDecoder().decode(T.self, from: try JSONEncoder().encode(value))
        }
        struct Failure: Error, Codable, Equatable { var code: Int }
        typealias Completion = Subscribers.Completion<Failure>
        #expect(try text([Subscribers.Demand.max(42)]) == "[42]")
        #expect(try decoded([Subscribers.Demand.unlimited, .none]) == [.unlimited, .none])
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([Subscribers.Demand].self, from: Data("[-1]".utf8))
        }
        #expect(try text(Completion.finished) == #"{"success":true}"#)
        #expect(try text(Completion.failure(Failure(code: 7))) == #"{"error":{"code":7},"success":false}"#)
        #expect(try decoded(Completion.failure(Failure(code: 7))) == .failure(Failure(code: 7)))
        let record = Record<Int, Failure>(output: [1], completion: .finished)
        #expect(try text(record) == #"{"recording":{"completion":{"success":true},"output":[1]}}"#)
        #expect(try decoded(record).recording.output == [1])
        let time = DispatchQueue.main.now
        #expect(try decoded([time]) == [time])
    }

    @Test("Identifiers are an object's own, or no other's")
    func identifiers() {
        #expect(CombineIdentifier() != CombineIdentifier())
        let subject = PassthroughSubject<Int, Never>()
        #expect(CombineIdentifier(subject) == CombineIdentifier(subject))
        let subscriber = Subscribers.Sink<Int, Never>(receiveCompletion: { _ in }, receiveValue: { _ in })
        #expect(subscriber.combineIdentifier == subscriber.combineIdentifier)
    }

    @Test("Types of operators are made by their names, and equal where their parts are")
    func types() {
        let shared = [1].publisher.share()
        #expect(shared == shared && shared != [1].publisher.share())
        #expect(
            [1].publisher.contains(1) == [1].publisher.contains(1)
                && [1].publisher.contains(1) != [1].publisher.contains(2))
        #expect([1].publisher.append(2).last() == [1].publisher.append(2).last())
        #expect([1].publisher.replaceEmpty(with: 1) != [1].publisher.replaceEmpty(with: 2))
        #expect([1].publisher.replaceError(with: 1) == Publishers.ReplaceError(upstream: [1].publisher, output: 1))
        #expect(Publishers.CollectByCount(upstream: Just(1), count: 1) == Just(1).collect(1))
        #expect(Just(1).drop(untilOutputFrom: Just(2)) != Just(1).drop(untilOutputFrom: Just(3)))
        #expect(Publishers.Merge3(Just(1), Just(2), Just(3)) == Just(1).merge(with: Just(2), Just(3)))
        let merged = RecordingSubscriber<Int, Never>()
        Publishers.Merge8(Just(1), Just(2), Just(3), Just(4), Just(5), Just(6), Just(7), Just(8)).subscribe(merged)
        #expect(merged.values == Array(1...8) && merged.isFinished)
        let replaced = RecordingSubscriber<Int, Never>()
        Publishers.ReplaceError(upstream: Fail<Int, TestError>(error: .expected), output: 9).subscribe(replaced)
        #expect(replaced.values == [9] && replaced.isFinished)
        let ranged = RecordingSubscriber<Int, Never>()
        Publishers.Output(upstream: (0..<9).publisher, range: 2..<4).subscribe(ranged)
        #expect(ranged.values == [2, 3] && ranged.isFinished)
    }

    @Test("Eager forms of Just, Optional and Result are those values themselves")
    func eagerForms() {
        @Sendable func unreachable(_ never: Never) -> TestError {}
        let mapped: Result<Int, TestError>.Publisher = Just(1).mapError(unreachable)
        let ignored: Empty<Int, Never> = Just(1).ignoreOutput()
        let least: Just<Int> = Just(1).min { $0 < $1 }
        let greatest: Optional<Int>.Publisher = Int?.some(1).publisher.max { $0 < $1 }
        let tried: Result<Int, any Error>.Publisher = Result<Int, TestError>.success(1).publisher.tryMin { $0 < $1 }
        #expect(mapped.result == .success(1) && ignored.completeImmediately && least.output == 1)
        #expect(greatest.output == 1)
        #expect(throws: Never.self) { try tried.result.get() }
        @Published(initialValue: 3) var number
        #expect(number == 3)
    }

    @Test("assign takes any root, and the subscribers describe themselves")
    func assigning() {
        struct Box: Sendable {
            let value: Recorded<Int>
            var number: Int {
                get { value.value }
                nonmutating set { value.set(newValue) }
            }
        }
        let box = Box(value: Recorded(0))
        Just(4).assign(to: \.number, on: box).cancel()
        #expect(box.number == 4)
        #expect("\(Just(1).eraseToAnyPublisher())" == "AnyPublisher")
        #expect("\(Subscribers.Assign(object: box, keyPath: \.number))" == "Assign")
    }
}
