import Streams

/// The end of a decode.
enum DecodingEnd: Sendable {
    /// The images, the renditions of which they are the first, and the stage that the body came from.
    case images([Image], of: [Rendition], Provenance)
    case failure(LoadError)
}

/// The state of a decode that is fed with what arrives. Only one at a time uses it.
struct DecodingState<Context: Scheduler> {
    /// `nil` when the image is there, or an error.
    var decoder: ContentDecoder?
    /// The renditions that it makes.
    var renditions: [Rendition]
    /// The bytes that it has been fed with, as long as the pass is open: another decoder would need them.
    var beginning: [ArraySlice<UInt8>]? = []
    var budget: PreviewBudget<Context>
    /// True once a degraded image has been made.
    var hasPreview = false
    var progress = LoadProgress(received: 0)
    /// The bytes that it has said to hold, and whether it has to wait for them.
    var heldBytes: Int?
    var waitsForRoom = false
    /// Events that have been used up and not been asked for anew.
    var usedUp = 0
    private(set) var response: DataResponse?
    /// The images of a body that another may take the place of: the final ones, unless another body comes.
    var provisional: [Image]?
    /// The first bytes of the body, for whoever has to be told that they are no image.
    private(set) var prefix: [UInt8] = []
    /// So many bytes are decoded at a time: more where they take little time, less where they take much. A kilobyte of a PNG may
    /// be a megabyte of pixels.
    private(set) var piece = 4 << 10

    /// Bytes of a transfer that are rather waited for than done without.
    private static var shortRest: Int { 64 << 10 }

    init(decoder: ContentDecoder, renditions: [Rendition], budget: PreviewBudget<Context>) {
        self.decoder = decoder
        self.renditions = renditions
        self.budget = budget
    }

    var provenance: Provenance { response?.provenance ?? .data }

    /// True if the image is there, and so many bytes less are a gain. The rest of a transfer may be on its way already, and a
    /// body that comes whole can be kept on disk.
    func canStop(_ decoder: ContentDecoder) -> Bool {
        guard decoder.needsNoMoreBytes else { return false }
        guard provenance == .network, let expected = progress.expected else { return true }
        return expected - progress.received > Self.shortRest
    }

    /// Takes a response. A further one brings the body once more from its first byte on.
    mutating func begin(_ response: DataResponse, _ makeDecoder: ([Rendition]) -> ContentDecoder) {
        self.response = response
        provisional = nil
        if decoder != nil, progress.received > 0 {
            decoder = makeDecoder(renditions)
            if beginning != nil { beginning = [] }
        }
        decoder?.expect(response)
        progress = LoadProgress(received: 0, expected: response.expectedLength)
        prefix = []
    }

    /// Keeps the first bytes of the body.
    mutating func notePrefix(_ bytes: ArraySlice<UInt8>) {
        if prefix.count < 80 { prefix += bytes.prefix(80 - prefix.count) }
    }

    /// Adapts the size of a piece to the time that one took.
    mutating func adaptPiece(
        to spent: Context.SchedulerTimeType.Stride, for count: Int, within slice: Context.SchedulerTimeType.Stride
    ) {
        if spent + spent >= slice {
            piece = max(1 << 10, count / 2)
        } else if count == piece, spent + spent + spent + spent < slice {
            piece *= 2
        }
    }

    /// Says what came in place of an image, where that is known.
    func loadError(_ error: DecodeError) -> LoadError {
        let type = response?.contentType?.lowercased()
        let isOther = type.map { !$0.hasPrefix("image/") && !$0.hasPrefix("application/octet-stream") } ?? false
        guard error == .unknownFormat || progress.received == 0, isOther || prefix.isEmpty else {
            return .decode(error)
        }
        return .notAnImage(contentType: type, beginning: String(decoding: prefix, as: UTF8.self))
    }
}

extension ContentDecoder {
    /// Takes what is known of a body's length before it comes.
    func expect(_ response: DataResponse?) {
        announcedBytes = response?.expectedLength
        mayLackBytes = response?.head?.isDelimited == false
    }
}
