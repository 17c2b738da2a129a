import ImagePipeline
import ImagePipelineTesting
import Streams
import StreamsTesting
import Testing

@Suite("Test doubles")
struct TestDoubleTests {
    typealias Recorder = RecordingSubscriber<ImageEvent, LoadError>

    @Test("A picture carries its number through JPEG, previews and resizing; another picture carries none")
    func numbers() throws {
        for number in [0, 4_711, 0xFFFFFF] {
            let picture = Image(carrying: number, size: PixelSize(width: 128, height: 64))
            #expect(picture.carriedNumber == number)
            let file = try picture.encoded(as: .jpeg(quality: 60, progressive: true))
            for width in [128, 32] {
                let recorder = Recorder()
                stride(from: 0, to: file.count, by: 200).map { Array(file[$0..<min($0 + 200, file.count)]) }
                    .publisher.decoded(to: .fit(PixelSize(width: width, height: width))).subscribe(recorder)
                #expect(recorder.values.compactMap(\.image).last?.carriedNumber == number, "\(width) wide")
                let seen = recorder.values.compactMap { $0.image?.carriedNumber }
                #expect(seen.allSatisfy { $0 == number }, "a preview shows the number or none")
            }
        }
        for width in 8...40 {
            for height in 4...20 {
                let number = width << 16 | height << 8 | 0x5A
                #expect(Image(carrying: number, size: PixelSize(width: width, height: height)).carriedNumber == number)
            }
        }
        for shade in [UInt8(0), 128, 255] {
            let plain = Image(
                size: PixelSize(width: 8, height: 4), format: .grey8, bytes: .init(repeating: shade, count: 32))
            #expect(plain?.carriedNumber == nil)
        }
    }

    @Test("A scripted source follows its script on virtual time, and one that is cancelled stops")
    func script() {
        let clock = VirtualTimeScheduler()
        let source = ScriptedSource<ImageRequest, ImageEvent>(on: clock) { request in
            [
                .after(.milliseconds(10), .degraded(picture(1), quality: 0.5)),
                .after(.milliseconds(20), .final(picture(2), .network)),
                .after(.milliseconds(20), request.number == 1 ? .finished : .failure(.notCached)),
            ]
        }
        let recorder = Recorder()
        let cancelled = Recorder()
        source.events(for: .numbered(1)).subscribe(recorder)
        source.events(for: .numbered(2)).subscribe(cancelled)
        clock.advance(by: .milliseconds(10))
        #expect(recorder.transcript == ["degraded 1"])
        cancelled.cancel()
        clock.run()
        #expect(recorder.transcript == ["degraded 1", "final 2 from network", "finished"])
        #expect(cancelled.transcript == ["degraded 1"])
        #expect(source.loads.map(\.isCancelled) == [false, true])
    }

    @Test("A record tells what is wrong with a load")
    func problems() {
        func problem(_ events: [ImageEvent], _ completion: Subscribers.Completion<LoadError>?) -> String? {
            let source = ScriptedSource<ImageRequest, ImageEvent>()
            let recorder = Recorder()
            source.events(for: .numbered(1)).subscribe(recorder)
            for event in events { source.loads[0].send(event) }
            if let completion { source.loads[0].end(completion) }
            return recorder.loadProblem
        }
        #expect(problem([.degraded(picture(1), quality: 0.5), .final(picture(1), .disk)], .finished) == nil)
        #expect(problem([.degraded(picture(1), quality: 0.5)], .failure(.notCached)) == nil)
        #expect(problem([], nil) == nil)
        #expect(problem([], .finished) == "it finished without a final value")
        #expect(problem([.degraded(picture(1), quality: .infinity)], nil) == "a preview of quality inf")
        #expect(problem([.final(picture(1), .disk)], .failure(.notCached))?.hasPrefix("it failed behind") == true)
        #expect(
            problem([.final(picture(1), .disk), .final(picture(1), .disk)], nil)
                == "an event came after the final value")
        #expect(
            problem([.degraded(picture(1), quality: 0.5), .degraded(picture(1), quality: 0.5)], nil)
                == "a preview of quality 0.5 came after one of 0.5")
    }
}
