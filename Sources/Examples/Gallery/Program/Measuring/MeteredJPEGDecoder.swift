import ImagePipeline
import Synchronization

/// A JPEG decoder that adds up what it takes: the program's own, put in by `ImageDecoders`.
final class MeteredJPEGDecoder: FormatDecoder {
    /// Nanoseconds of the processor, and numbers, of previews, of final images with what led from the preview to them, and of what was
    /// given up.
    static let previews = Total()
    static let finished = Total()
    static let abandoned = Total()

    struct Total: ~Copyable, Sendable {
        let count = Atomic(0)
        let nanoseconds = Atomic(0)

        func add(_ seconds: Double) {
            count.add(1, ordering: .relaxed)
            nanoseconds.add(Int(seconds * 1e9), ordering: .relaxed)
        }
    }

    static let format = JPEGDecoder.format
    static let signatureLength = JPEGDecoder.signatureLength

    private let decoder: JPEGDecoder
    private var spent = 0.0
    private var isFinished = false

    init(options: DecodeOptions) {
        decoder = JPEGDecoder(options: options)
    }

    deinit {
        if isFinished { Self.finished.add(spent) } else { Self.abandoned.add(spent) }
    }

    static func recognizes(_ prefix: [UInt8]) -> Bool { JPEGDecoder.recognizes(prefix) }

    var needsNoMoreBytes: Bool { decoder.needsNoMoreBytes }

    func append(_ bytes: UnsafeRawBufferPointer) throws(DecodeError) {
        let start = Clocks.thread
        defer { spent += Clocks.thread - start }
        try decoder.append(bytes)
    }

    func takePreview() throws(DecodeError) -> DegradedImage? {
        let start = Clocks.thread
        let preview = try decoder.takePreview()
        spent += Clocks.thread - start
        if preview != nil {
            Self.previews.add(spent)
            spent = 0
        }
        return preview
    }

    func finish() throws(DecodeError) -> Image {
        let start = Clocks.thread
        defer { spent += Clocks.thread - start }
        let image = try decoder.finish()
        isFinished = true
        return image
    }
}
