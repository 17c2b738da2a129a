import Dispatch
import ImagePipeline
import Streams
import StreamsTesting
import Synchronization
import Testing

@Suite("A decoder that meddles with its own load", .serialized)
struct MeddlingDecoderTests {
    private let body = PassthroughSubject<DataEvent, LoadError>()
    private let load = RecordingSubscriber<ImageEvent, LoadError>()

    private func start() {
        AnySource<ImageRequest, DataEvent> { [body] _ in body.eraseToAnyPublisher() }
            .decoded(decoders: ImageDecoders.standard.adding(MeddlingDecoder.self), on: ImmediateScheduler.shared)
            .events(for: ImageRequest(.data([]))).subscribe(load)
    }

    private func send(_ text: String) {
        body.send(.chunk(Array(text.utf8)))
    }

    /// What a load calls that is cancelled in its call of that number, if there is one.
    private func calls(_ texts: [String], cancelledIn number: Int? = nil) -> [MeddlingDecoder.Call] {
        MeddlingDecoder.begin { [load] _, count in
            if count == number { load.cancel() }
        }
        start()
        for text in texts {
            send(text)
            guard let number, MeddlingDecoder.calls.count >= number else { continue }
            #expect(MeddlingDecoder.living == 0)
            #expect(!body.hasSubscribers)
        }
        body.send(completion: .finished)
        #expect(MeddlingDecoder.living == 0)
        #expect(load.violations.isEmpty)
        return MeddlingDecoder.calls
    }

    @Test(
        "A load that is cancelled inside a call of its decoder ends with it, and lets go of the decoder",
        arguments: [
            // Of a file of three bytes PNG's decoder would have to see more; of the others the first eight tell.
            ["MDL"], ["MDLabcde", "f"], ["MDLabcdefg", "hi", "jk"], ["MD", "Labcdefg", "hi"],
            ["MDLabcdefg", "h.", "jk"],
            ["MDLabcdefg."],
        ])
    func cancelled(texts: [String]) {
        let all = MeddlingDecoderTests().calls(texts)
        #expect(all.first == .append && all.last == .finish)
        for count in all.indices.map({ $0 + 1 }) {
            let test = MeddlingDecoderTests()
            #expect(test.calls(texts, cancelledIn: count) == Array(all.prefix(count)))
            #expect(test.load.completion == nil)
            #expect(!test.load.values.contains { if case .final = $0 { true } else { false } })
        }
    }

    @Test("What it sends from within a call comes after it, and requests and other threads are not kept waiting")
    func sending() {
        MeddlingDecoder.begin { [load, body] call, count in
            switch (call, count) {
            case (.append, 1):
                body.send(.chunk(Array("cd".utf8)))
                body.send(.chunk(Array("ef".utf8)))
                body.send(completion: .finished)
            case (.takePreview, _):
                let done = DispatchSemaphore(value: 0)
                DispatchQueue.global().async {
                    load.request(.max(1))
                    done.signal()
                }
                done.wait()
            default: break
            }
        }
        start()
        send("MDLabcdefg")
        let chunk: [MeddlingDecoder.Call] = [.append, .needsNoMoreBytes, .takePreview]
        #expect(MeddlingDecoder.calls == [.append] + chunk + chunk + chunk + [.finish])
        #expect(load.isFinished && load.violations.isEmpty)
        #expect(MeddlingDecoder.living == 0)
    }

    @Test(
        "It is let go of before the final image is delivered, and before its error is",
        arguments: ["MDLabcde", "MDLabcd!"])
    func released(text: String) {
        MeddlingDecoder.begin { _, _ in }
        let living = Mutex<[Int]>([])
        let note: @Sendable () -> Void = { living.withLock { $0.append(MeddlingDecoder.living) } }
        AnySource<ImageRequest, DataEvent> { [body] _ in body.eraseToAnyPublisher() }
            .decoded(decoders: ImageDecoders.standard.adding(MeddlingDecoder.self), on: ImmediateScheduler.shared)
            .events(for: ImageRequest(.data([])))
            .handleEvents(
                receiveOutput: { if case .final = $0 { note() } },
                receiveCompletion: { _ in note() }
            ).subscribe(load)
        send(text)
        body.send(completion: .finished)
        let isSound = !text.contains("!")
        #expect(living.withLock { $0 } == (isSound ? [0, 0] : [0]))
        #expect(load.isFinished == isSound)
    }
}

/// A decoder that tells a test of each of its calls. Its files begin with "MDL", are damaged at a "!", and show nothing of what comes
/// after a ".".
private final class MeddlingDecoder: FormatDecoder {
    enum Call: Sendable { case append, needsNoMoreBytes, takePreview, finish }

    private struct Script: Sendable {
        var calls: [Call] = []
        var living = 0
        var onCall: @Sendable (Call, _ count: Int) -> Void = { _, _ in }
    }

    private static let script = Mutex(Script())
    static var calls: [Call] { script.withLock { $0.calls } }
    static var living: Int { script.withLock { $0.living } }

    static func begin(_ onCall: @escaping @Sendable (Call, _ count: Int) -> Void) {
        script.withLock { $0 = Script(onCall: onCall) }
    }

    private static func note(_ call: Call) {
        let (onCall, count) = script.withLock { script in
            script.calls.append(call)
            return (script.onCall, script.calls.count)
        }
        onCall(call, count)
    }

    static let format = ImageFormat(rawValue: "mdl")
    static let signatureLength = 3
    static func recognizes(_ prefix: [UInt8]) -> Bool { prefix.starts(with: "MDL".utf8) }

    private var hasAll = false
    private var quality = 0.5

    init(options: DecodeOptions) {
        Self.script.withLock { $0.living += 1 }
    }

    deinit {
        Self.script.withLock { $0.living -= 1 }
    }

    private var picture: Image {
        get throws(DecodeError) {
            guard let image = Image(size: PixelSize(width: 1, height: 1), format: .grey8, bytes: [7]) else {
                throw .unknownFormat
            }
            return image
        }
    }

    func append(_ bytes: UnsafeRawBufferPointer) throws(DecodeError) {
        Self.note(.append)
        if bytes.contains(UInt8(ascii: "!")) {
            throw .corrupt("!", at: DecodeError.Location(format: Self.format, byteOffset: 0))
        }
        if bytes.contains(UInt8(ascii: ".")) { hasAll = true }
    }

    var needsNoMoreBytes: Bool {
        Self.note(.needsNoMoreBytes)
        return hasAll
    }

    func takePreview() throws(DecodeError) -> DegradedImage? {
        Self.note(.takePreview)
        quality = (1 + quality) / 2
        return DegradedImage(image: try picture, quality: quality)
    }

    func finish() throws(DecodeError) -> Image {
        Self.note(.finish)
        return try picture
    }
}
