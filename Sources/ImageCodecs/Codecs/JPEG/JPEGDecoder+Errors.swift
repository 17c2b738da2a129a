import CJPEG

extension JPEGDecoder {
    /// Where decoding is.
    var location: DecodeError.Location {
        var row: Int?
        if case .rows(let reduction, _) = phase, let plan { row = reduction.rowsTaken * 8 / Int(plan.scale) }
        return DecodeError.Location(format: .jpeg, byteOffset: handle.byteOffset, row: row)
    }

    /// The first loss of pixels that are painted, if there are any.
    func damage(_ plan: JPEGPlan) -> ImageDamage? {
        let damage = handle.damage
        guard damage.kind != CJPEG_FAILURE_NONE else { return nil }
        return ImageDamage(
            damage.kind == CJPEG_FAILURE_TRUNCATED
                ? .truncated : .corrupt(damage.message.map { String(cString: $0) } ?? ""),
            byteOffset: Int(clamping: damage.byte_offset),
            row: plan.hasMultipleScans ? nil : Int(damage.row) * 8 / Int(plan.scale))
    }

    /// What libjpeg, or what is ours around it, has ended with.
    func failure() -> DecodeError {
        let message = handle.message
        return switch handle.failureKind {
        case CJPEG_FAILURE_TRUNCATED: .truncated(at: location)
        case CJPEG_FAILURE_UNSUPPORTED: .unsupported(message, at: location)
        case CJPEG_FAILURE_MEMORY: .outOfMemory(at: location)
        case CJPEG_FAILURE_METADATA:
            .limitExceeded(
                .metadataBytes, value: options.limits.metadataBytes + 1, allowed: options.limits.metadataBytes,
                at: location)
        case CJPEG_FAILURE_WORKING:
            .limitExceeded(
                .workingBytes, value: options.limits.workingBytes + 1, allowed: options.limits.workingBytes,
                at: location)
        default: .corrupt(message.isEmpty ? "no rows" : message, at: location)
        }
    }
}
