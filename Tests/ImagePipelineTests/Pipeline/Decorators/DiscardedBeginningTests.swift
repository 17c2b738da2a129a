import Files
import Streams
import StreamsTesting
import Synchronization
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("Beginnings of bodies that are discarded, or overtaken")
final class DiscardedBeginningTests: Sendable {
    private typealias Recorder = RecordingSubscriber<DataEvent, LoadError>

    private let directory = TemporaryDirectory()
    private let threads = ThreadPoolScheduler(width: 4)
    private let request = ImageRequest("https://example.com/a.jpg")
    /// What happens when the clock has been looked at so many times more.
    private let hook = Mutex<(looks: Int, action: (@Sendable () -> Void)?)>((0, nil))

    @Test(
        "A body is discarded here and below; it was there if it was continued, or was there below",
        arguments: [true, false], [true, false])
    func chain(isContinued: Bool, isThereBelow: Bool) {
        let asked = Counter()
        let source = AnySource<ImageRequest, DataEvent> { request in
            (request.resumption == nil ? BodyAnswer() : .rest()).events.map { event in
                guard case .response(var response) = event else { return event }
                response.discard = {
                    asked.add()
                    return Just(isThereBelow).eraseToAnyPublisher()
                }
                return .response(response)
            }.eraseToAnyPublisher()
        }
        .resumed(in: DiskCache(directory: directory.path), on: threads)
        var last = Recorder()
        for _ in 0..<(isContinued ? 2 : 1) {
            last = Recorder()
            source.events(for: request).subscribe(last)
            #expect(last.waitForCompletion())
        }
        guard case .response(let response)? = last.values.first else {
            Issue.record("no response")
            return
        }
        let answer = RecordingSubscriber<Bool, Never>()
        response.discard?().subscribe(answer)
        #expect(answer.waitForCompletion())
        #expect(answer.values == [isContinued || isThereBelow] && asked.value == 1)
        #expect(directory.names.isEmpty)
    }

    /// The way to a body that comes whole though its beginning is on disk.
    enum Whole: CaseIterable {
        case reload, changed, refused
    }

    @Test("A body that has come whole was not there before, whatever beginning was", arguments: Whole.allCases)
    func whole(_ way: Whole) {
        let (source, _) = BodyAnswer.scripted { asked in
            way == .refused && asked.resumption != nil ? BodyAnswer(status: 416) : .whole
        }
        let resumed = source.resumed(in: DiskCache(directory: directory.path), on: threads)
        var last = Recorder()
        for caching in [CachePolicies(), way == .reload ? .reload : CachePolicies()] {
            var request = request
            request.caching = caching
            last = Recorder()
            resumed.events(for: request).subscribe(last)
            #expect(last.waitForCompletion())
        }
        guard last.isFinished, case .response(let response)? = last.values.first, let discard = response.discard else {
            Issue.record("nothing can be discarded")
            return
        }
        let answer = RecordingSubscriber<Bool, Never>()
        discard().subscribe(answer)
        #expect(answer.waitForCompletion() && answer.values == [false])
    }

    /// The loads of a source whose bodies the test sends.
    private final class Loads: Sendable {
        let origins = Mutex<[DrivenPublisher<DataEvent, LoadError>]>([])

        func begin() -> AnyPublisher<DataEvent, LoadError> {
            let origin = DrivenPublisher<DataEvent, LoadError>()
            origins.withLock { $0.append(origin) }
            return origin.eraseToAnyPublisher()
        }

        func waitForLoad(_ number: Int) -> DrivenPublisher<DataEvent, LoadError> {
            #expect(comesTrue { origins.withLock { $0.count > number && $0[number].isRequested } })
            return origins.withLock { $0.count > number ? $0[number] : DrivenPublisher() }
        }
    }

    private func now() -> Duration {
        let action = hook.withLock { hook -> (@Sendable () -> Void)? in
            guard hook.action != nil else { return nil }
            hook.looks -= 1
            return hook.looks < 0 ? hook.action.take() : nil
        }
        action?()
        return .seconds(1_000)
    }

    /// Loads that share what they keep, one begun behind the other; the test has sent most of their bodies.
    private func begin(_ loads: Loads, count: Int) -> [Recorder] {
        let terms = StoreTerms(timeLimit: .seconds(3_600))
        let cache = DiskCache(directory: directory.path, terms: terms) { self.now() }
        // Who writes where nothing has been counted lists the directory, and looks at the clock for that, maybe later than the test thinks.
        cache.sweep()
        let source = AnySource<ImageRequest, DataEvent> { _ in loads.begin() }.resumed(in: cache, on: threads)
        return (0..<count).map { number in
            let recorder = Recorder()
            source.events(for: request).subscribe(recorder)
            let origin = loads.waitForLoad(number)
            let fields = [HTTPField("ETag", "\"\(number)\""), HTTPField("Content-Length", "400000")]
            let head = HTTPResponseHead(status: 200, headers: fields, contentLength: 400_000, isDelimited: true)
            origin.send(
                .response(DataResponse(provenance: .network, expectedLength: 400_000, status: 200, head: head)))
            for _ in 0..<3 { origin.send(.chunk([UInt8](repeating: 7, count: 100_000))) }
            #expect(comesTrue { recorder.values.count >= 4 })
            // It is on the disk.
            #expect(comesTrue { directory.names.count > number })
            return recorder
        }
    }

    /// Has the first load fail, so that its beginning is kept, and something happen when the clock has been looked at so often in that, or else
    /// behind it: then nothing is there.
    private func keep(
        _ recorder: Recorder, of loads: Loads, meanwhile action: @escaping @Sendable () -> Void, afterLooks looks: Int
    ) {
        hook.withLock { $0 = (looks, action) }
        loads.waitForLoad(0).send(completion: .failure(.transport(.connectionLost("cut"))))
        #expect(recorder.waitForCompletion())
        hook.withLock { $0.action.take() }?()
        #expect(directory.names.isEmpty)
    }

    @Test("A beginning that is discarded at any moment while it is kept is not there afterwards", arguments: 0..<6)
    func discarded(looks: Int) {
        let loads = Loads()
        let recorders = begin(loads, count: 1)
        guard case .response(let response)? = recorders[0].values.first, let discard = response.discard else {
            Issue.record("nothing can be discarded")
            return
        }
        let action: @Sendable () -> Void = {
            let answer = RecordingSubscriber<Bool, Never>()
            discard().subscribe(answer)
            #expect(answer.waitForCompletion() && answer.values == [false])
        }
        keep(recorders[0], of: loads, meanwhile: action, afterLooks: looks)
    }

    @Test("A beginning that is kept while a later load comes to its end is not there afterwards", arguments: 0..<6)
    func overtaken(looks: Int) {
        let loads = Loads()
        let recorders = begin(loads, count: 2)
        let later = loads.waitForLoad(1)
        let action: @Sendable () -> Void = {
            later.send(completion: .finished)
            #expect(recorders[1].waitForCompletion())
        }
        keep(recorders[0], of: loads, meanwhile: action, afterLooks: looks)
    }
}
