import ImagePipeline
import ImagePipelineTesting
import Streams
import StreamsTesting
import Testing

@Suite("A stream of requests")
struct ImagesFromRequestsTests {
    typealias Loads = ScriptedSource<ImageRequest, ImageEvent>
    typealias Recorder = RecordingSubscriber<ImageSlot.Content, Never>

    @Test("A request that fails is a failed state; the stream goes on with the next one, and finishes with the last")
    func failure() {
        let source = Loads()
        let requests = PassthroughSubject<ImageRequest, Never>()
        let recorder = Recorder()
        requests.images(from: source).subscribe(recorder)
        requests.send(.numbered(1))
        source.loads[0].end(.failure(.status(404)))
        requests.send(.numbered(2))
        source.loads[1].send(.degraded(picture(2), quality: 0.5))
        requests.send(completion: .finished)
        #expect(recorder.completion == nil)
        source.loads[1].finish(with: picture(3))
        #expect(recorder.values.map(\.words) == ["failed", "degraded 2", "final 3"])
        #expect(recorder.values.map { $0.request?.number } == [1, 2, 2])
        #expect(recorder.isFinished)
        #expect(recorder.violations.isEmpty)
    }

    @Test("A new request cancels the load of the one before, and nothing of that follows")
    func newest() {
        let source = Loads()
        let requests = PassthroughSubject<ImageRequest, Never>()
        let recorder = Recorder()
        requests.images(from: source).subscribe(recorder)
        requests.send(.numbered(1))
        source.loads[0].send(.degraded(picture(1), quality: 0.5))
        requests.send(.numbered(2))
        #expect(source.loads[0].isCancelled)
        source.loads[0].finish(with: picture(1))
        source.loads[1].finish(with: picture(2), from: .memory)
        #expect(recorder.values.map(\.words) == ["degraded 1", "final 2"])
        #expect(recorder.values.map(\.cameAtOnce) == [false, true])
    }

    @Test("Events are asked of the newest load as they are requested, and the final image waits")
    func demand() {
        let source = Loads(.latest)
        let requests = PassthroughSubject<ImageRequest, Never>()
        let recorder = Recorder(initialDemand: .none)
        requests.images(from: source).subscribe(recorder)
        requests.send(.numbered(1))
        for step in 1...5 { source.loads[0].send(.degraded(picture(step), quality: 0.1 * Double(step))) }
        #expect(recorder.values.isEmpty)
        recorder.request(.max(1))
        source.loads[0].finish(with: picture(6))
        #expect(recorder.values.count == 1)
        recorder.request(.max(2))
        #expect(recorder.values.map(\.words) == ["degraded 5", "final 6"])
        #expect(recorder.violations.isEmpty)
    }
}
