import ImagePipeline
import Streams
import StreamsTesting
import TestSupport
import Testing

extension DecodePassTests {
    @Test(
        "A size that does without the damaged part of a body is whole beside one that wants it, and a size is decoded once more for all",
        arguments: [DamagePolicy.show, .refuse])
    func damage(policy: DamagePolicy) throws {
        let photo = try Pictures.textured(800, 600).encoded(as: .jpeg(quality: 85, progressive: true))
        let time = VirtualTimeScheduler()
        let file = Stored(Array(photo.prefix(photo.count * 7 / 10)))
        let source = file.decoded(on: time)
        let sides = [8, 800, 12, 8, 700]
        let recorders = sides.map { side in load(source, request(side) { $0.rendition.damage = policy }) }
        time.run()
        #expect(file.count == (policy == .show ? 4 : 5))
        for (side, recorder) in zip(sides, recorders) {
            #expect(recorder.violations.isEmpty)
            if side < 100 {
                let image = try #require(recorder.values.compactMap(\.finalValue).first)
                let alone = try Image.decode(file.bytes, options: DecodeOptions(as: request(side).rendition))
                #expect(image == alone && image.damage == nil && alone.damage == nil)
            } else if policy == .show {
                #expect(recorder.values.last?.image?.damage?.kind == .truncated)
            } else {
                guard case .decode(.truncated)? = recorder.failure else { return #expect(Bool(false), "\(side)") }
            }
        }
    }

    @Test(
        "Where the body does not come once more, each has what it had together: the damaged image, or the first error",
        arguments: [DamagePolicy.show, .refuse])
    func damageAndNoBody(policy: DamagePolicy) throws {
        let photo = try Pictures.textured(800, 600).encoded(as: .jpeg(quality: 85, progressive: true))
        let source = body.decoded(on: ImmediateScheduler.shared)
        let recorders = [8, 800].map { side in load(source, request(side) { $0.rendition.damage = policy }) }
        body.send(photo.prefix(photo.count * 7 / 10), of: photo.count * 7 / 10)
        // Who comes from now on gets no byte.
        body.bytes.send(completion: .finished)
        #expect(body.count == (policy == .show ? 2 : 3))
        for recorder in recorders {
            #expect(recorder.violations.isEmpty)
            switch (policy, recorder.failure) {
            case (.show, nil): #expect(recorder.values.last?.image?.damage?.kind == .truncated)
            case (.refuse, .decode(.truncated)?): #expect(recorder.values.compactMap(\.finalValue).isEmpty)
            default: #expect(Bool(false), "\(recorder.failure as Any)")
            }
        }
    }

    @Test("A transfer that was cut short is an error for several sizes as for one, also where damage is shown")
    func cutShort() throws {
        let photo = try Pictures.textured(800, 600).encoded(as: .jpeg(quality: 85, progressive: true))
        let source = body.decoded(on: ImmediateScheduler.shared)
        let recorders = [700, 800].map { side in load(source, request(side) { $0.rendition.damage = .show }) }
        body.send(photo.prefix(photo.count * 7 / 10), of: photo.count)
        body.bytes.send(completion: .finished)
        for recorder in recorders {
            guard case .decode(.truncated)? = recorder.failure else {
                Issue.record("\(String(describing: recorder.completion))")
                return
            }
        }
    }
}
