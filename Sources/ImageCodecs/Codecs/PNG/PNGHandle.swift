import CPNG

/// A decoder of `CPNG`, and the only owner of it: one that was never made, because memory was short, fails at its first step.
struct PNGHandle: ~Copyable {
    /// The result of a step.
    enum Outcome {
        case goesOn
        /// A callback has asked to stop.
        case stopped
        case failed(message: String)
        case lacksMemory
    }

    private let decoder: OpaquePointer?

    /// - Parameters:
    ///   - metadataLimit: the most bytes of a chunk that are kept or inflated.
    ///   - passesDamage: whether damaged data are used all the same.
    init(metadataLimit: Int, passesDamage: Bool) {
        decoder = cpng_decoder_create(
            { context, info in
                guard let context, let info else { return 1 }
                return PNGHandle.client(context).begin(&info.pointee) ? 0 : 1
            },
            { context, row, y, pass in
                guard let context, let row else { return 1 }
                return PNGHandle.client(context).take(row, y: Int(y), pass: Int(pass)) ? 0 : 1
            },
            max(1, metadataLimit), passesDamage ? 1 : 0)
    }

    deinit { cpng_decoder_destroy(decoder) }

    // MARK: Steps

    /// Takes bytes; the client is told of the header and of rows before it returns.
    func process(_ bytes: UnsafeRawBufferPointer, for client: PNGDecoder) -> Outcome {
        step(for: client) { cpng_process($0, $1, bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count) }
    }

    /// Takes the bytes that are held back.
    func flush(for client: PNGDecoder) -> Outcome {
        step(for: client) { cpng_flush($0, $1) }
    }

    private func step(
        for client: PNGDecoder, _ work: (OpaquePointer, UnsafeMutableRawPointer) -> cpng_status
    ) -> Outcome {
        guard let decoder else { return .lacksMemory }
        // The callbacks run within the call, so the client outlives them.
        switch work(decoder, Unmanaged.passUnretained(client).toOpaque()) {
        case CPNG_OK: return .goesOn
        case CPNG_STOPPED: return .stopped
        default: return .failed(message: String(cString: cpng_message(decoder)))
        }
    }

    private static func client(_ context: UnsafeMutableRawPointer) -> PNGDecoder {
        Unmanaged<PNGDecoder>.fromOpaque(context).takeUnretainedValue()
    }

    // MARK: Facts

    /// The first fault of data that were used all the same, or that end too early.
    var damage: String? { decoder.flatMap { cpng_damage($0) }.map { String(cString: $0) } }

    /// Calls `body` with the ICC profile, which is empty if there is none; inside or after the call that tells of the header.
    func withICC<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        var count = 0
        let bytes = decoder.flatMap { cpng_icc($0, &count) }
        return body(UnsafeBufferPointer(start: bytes, count: bytes == nil ? 0 : count))
    }
}
