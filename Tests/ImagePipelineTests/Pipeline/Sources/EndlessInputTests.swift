import CZlib
import Dispatch
import ImagePipeline
import Streams
import StreamsTesting
import Synchronization
import TestSupport
import Testing

@Suite("Input without an end")
struct EndlessInputTests {
    private static let allowed = 1 << 20

    enum Body: CaseIterable, Sendable {
        case bytesBehindJPEG, bytesBehindPNG, commentsInJPEG, textInPNG

        /// How it begins, and what comes again and again.
        func parts() throws -> (beginning: [UInt8], more: [UInt8]) {
            let picture = try Pictures.gradient(16, 16)
            let filler = [UInt8](repeating: 65, count: 60_000)
            let comment = [0xFF, 0xFE] + Self.bigEndian(filler.count + 2).suffix(2) + filler
            let chunk = Array("tEXt".utf8) + filler
            let checksum = crc32(0, chunk, UInt32(chunk.count))
            let text = Self.bigEndian(filler.count) + chunk + Self.bigEndian(Int(checksum))
            switch self {
            case .bytesBehindJPEG: return (try picture.encoded(as: .jpeg), comment)
            case .bytesBehindPNG: return (try picture.encoded(as: .png), text)
            case .commentsInJPEG: return ([0xFF, 0xD8], comment)
            case .textInPNG: return (Array(try picture.encoded(as: .png).prefix(33)), text)
            }
        }

        private static func bigEndian(_ value: Int) -> [UInt8] {
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
        }
    }

    private func isRefused(_ error: LoadError?) -> Bool {
        if case .decode(.limitExceeded(.inputBytes, let value, let allowed, _)) = error {
            value > allowed && allowed == Self.allowed
        } else {
            false
        }
    }

    @Test("A load ends when more has come than is allowed, and its source is cancelled", arguments: Body.allCases)
    func received(body: Body) throws {
        let (beginning, more) = try body.parts()
        let sent = Atomic(0)
        let isCancelled = Atomic(false)
        // Sixteen times what is allowed stands for no end.
        let chunks = [beginning] + Array(repeating: more, count: 16 * Self.allowed / more.count)
        let events = [.response(DataResponse(provenance: .network))] + chunks.map { DataEvent.chunk($0) }
        let source = AnySource<ImageRequest, DataEvent> { _ in
            events.publisher.setFailureType(to: LoadError.self)
                .handleEvents(
                    receiveOutput: { event in
                        if case .chunk(let bytes) = event { sent.add(bytes.count, ordering: .relaxed) }
                    },
                    receiveCancel: { isCancelled.store(true, ordering: .relaxed) }
                )
                .eraseToAnyPublisher()
        }
        let limits = DecodeLimits(inputBytes: Self.allowed)
        let subscriber = RecordingSubscriber<ImageEvent, LoadError>()
        source.decoded(limits: limits, on: DispatchQueue(label: "decode")).events(for: ImageRequest("a"))
            .subscribe(subscriber)
        #expect(subscriber.waitForCompletion())
        // What lies behind a picture may be refused, or not waited for.
        let isAnImage = body == .bytesBehindJPEG || body == .bytesBehindPNG
        #expect(
            isRefused(subscriber.failure) || isAnImage && subscriber.provenance == .network,
            "\(String(describing: subscriber.completion))")
        let wasCancelled = isCancelled.load(ordering: .relaxed)
        #expect(wasCancelled)
        #expect(sent.load(ordering: .relaxed) < 2 * Self.allowed)
    }

    @Test("What is announced is too much at once", arguments: [ImageEncoding.jpeg, .png])
    func announced(encoding: ImageEncoding) throws {
        let file = try Pictures.gradient(16, 16).encoded(as: encoding)
        for (length, isAllowed) in [(Self.allowed, true), (Self.allowed + 1, false), (.max, false)] {
            let source = AnySource<ImageRequest, DataEvent> { _ in
                [.response(DataResponse(provenance: .network, expectedLength: length)), .chunk(file)].publisher
                    .setFailureType(to: LoadError.self).eraseToAnyPublisher()
            }
            let subscriber = RecordingSubscriber<ImageEvent, LoadError>()
            source.decoded(limits: DecodeLimits(inputBytes: Self.allowed), on: ImmediateScheduler.shared)
                .events(for: ImageRequest("a")).subscribe(subscriber)
            #expect(subscriber.waitForCompletion())
            #expect(isRefused(subscriber.failure) == !isAllowed)
            #expect((subscriber.provenance == .network) == isAllowed)
        }
    }

    @Test("Bytes at hand are counted too")
    func whole() throws {
        let file = try Pictures.gradient(16, 16).encoded(as: .jpeg)
        let options = DecodeOptions(limits: DecodeLimits(inputBytes: file.count))
        #expect(try Image.decode(file, options: options).size == PixelSize(width: 16, height: 16))
        #expect(throws: DecodeError.self) { try Image.decode(file + [0], options: options) }
    }
}
