import ImagePipeline
import Streams
import StreamsTesting
import TestSupport
import Testing

extension DecodePassTests {
    private func facts(_ events: some Sequence<ImageEvent>) -> [String] {
        events.map { event in
            switch event {
            case .progress(let progress): "\(progress.received) bytes"
            case .degraded(let image, let quality): "quality \(quality), hash \(image.bytes.hashValue)"
            case .final: "final"
            }
        }
    }

    @Test("Who joins has at once the newest preview of their size and the progress behind it, as those who are there")
    func newest() throws {
        let photo = try Pictures.textured(200, 150).encoded(as: .jpeg(quality: 85, progressive: true))
        let source = body.decoded(on: ImmediateScheduler.shared)
        let first = load(source, request(20))
        body.bytes.send(.response(DataResponse(provenance: .network, expectedLength: photo.count)))
        var wasBehind = false
        for start in stride(from: 0, to: photo.count / 2, by: 200) {
            body.bytes.send(.chunk(Array(photo[start...].prefix(200))))
            let newest = first.values.lastIndex { if case .degraded = $0 { true } else { false } }
            var expected = newest.map { [first.values[$0]] } ?? []
            if case .progress? = first.values.last { expected += first.values.suffix(1) }
            wasBehind = wasBehind || expected.count == 2
            let same = load(source, request(20))
            #expect(facts(same.values) == facts(expected))
            // Who wants no previews has the progress alone.
            let other = load(source, request(20) { $0.previews = false })
            #expect(other.values.allSatisfy { if case .degraded = $0 { false } else { true } })
            if case .progress? = expected.last { #expect(facts(other.values) == facts(expected.suffix(1))) }
            for recorder in [same, other] { recorder.cancel() }
        }
        // So has who wants those of another size.
        let larger = load(source, request(30))
        #expect(larger.values.allSatisfy { if case .degraded = $0 { false } else { true } })
        #expect(body.count == 1 && wasBehind)
        first.cancel()
    }

    @Test("Who joins where no previews are made has at once the progress of the others")
    func progress() throws {
        let photo = try Pictures.textured(200, 150).encoded(as: .jpeg(quality: 85))
        let source = body.decoded(previews: false, on: ImmediateScheduler.shared)
        let first = load(source, request(20))
        body.send(photo.prefix(500), of: photo.count)
        let late = [load(source, request(20)), load(source, request(40))]
        for recorder in late { #expect(facts(recorder.values) == ["500 bytes"]) }
        body.bytes.send(.chunk(Array(photo[500..<700])))
        for recorder in late { #expect(facts(recorder.values) == ["500 bytes", "700 bytes"]) }
        #expect(body.count == 1)
        first.cancel()
    }

    @Test("Who joins behind another response gets the image of that body, from its first byte on")
    func joinsAnotherBody() throws {
        let source = body.decoded(on: ImmediateScheduler.shared)
        let first = try Pictures.gradient(200, 150).encoded(as: .jpeg(quality: 85))
        let second = try Pictures.textured(200, 150).encoded(as: .jpeg(quality: 85))
        let small = load(source, request(20))
        body.send(first.prefix(1_000), of: first.count)
        body.send(second.prefix(1_000), of: second.count)
        let large = load(source, request(100))
        body.bytes.send(.chunk(Array(second[1_000...])))
        body.bytes.send(completion: .finished)
        #expect(body.count == 1)
        for (recorder, side) in [(small, 20), (large, 100)] {
            let image = try #require(recorder.values.compactMap(\.finalValue).first)
            let alone = try Image.decode(second, options: DecodeOptions(as: request(side).rendition))
            #expect(Pictures.psnr(image, alone) > 38, "\(side)")
        }
    }
}
