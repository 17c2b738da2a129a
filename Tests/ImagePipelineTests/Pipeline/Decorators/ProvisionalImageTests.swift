import ImagePipeline
import Streams
import StreamsTesting
import TestSupport
import Testing

@Suite("Images that are shown until the server has answered")
struct ProvisionalImageTests {
    private let old: Image
    private let new: Image

    init() throws {
        old = try Pictures.gradient(30, 20)
        new = try Pictures.gradient(20, 30)
    }

    private func response(_ body: [UInt8], isProvisional: Bool) -> [DataEvent] {
        var response = DataResponse(provenance: isProvisional ? .disk : .network, expectedLength: body.count)
        response.isProvisional = isProvisional
        return [.response(response), .chunk(Array(body.prefix(20))), .chunk(Array(body.dropFirst(20)))]
    }

    /// The images that a load of these events delivers, final ones marked.
    private func images(_ events: [DataEvent], previews: Bool = true) throws -> [(size: PixelSize, isFinal: Bool)] {
        let source = AnySource<ImageRequest, DataEvent> { _ in
            events.publisher.setFailureType(to: LoadError.self).eraseToAnyPublisher()
        }
        let recorder = RecordingSubscriber<ImageEvent, LoadError>()
        source.decoded(on: ThreadPoolScheduler(width: 1))
            .events(for: ImageRequest(.url("a"), previews: previews)).subscribe(recorder)
        try #require(recorder.waitForCompletion())
        #expect(recorder.isFinished)
        return recorder.values.compactMap { event in event.value.map { ($0.size, event.finalValue != nil) } }
    }

    @Test("The old image is degraded, and final only if no other one comes")
    func shown() throws {
        let first = response(try old.encoded(as: .png), isProvisional: true)
        let second = response(try new.encoded(as: .png), isProvisional: false)
        let unchanged = try images(first)
        #expect(unchanged.map(\.size) == [old.size, old.size])
        #expect(unchanged.map(\.isFinal) == [false, true])
        let changed = try images(first + second)
        #expect(changed.map(\.size) == [old.size, new.size])
        #expect(changed.map(\.isFinal) == [false, true])
    }

    @Test("Who wants no degraded image waits for the server's answer")
    func withoutPreviews() throws {
        let first = response(try old.encoded(as: .png), isProvisional: true)
        let second = response(try new.encoded(as: .png), isProvisional: false)
        #expect(try images(first, previews: false).map(\.size) == [old.size])
        #expect(try images(first + second, previews: false).map(\.size) == [new.size])
    }
}
