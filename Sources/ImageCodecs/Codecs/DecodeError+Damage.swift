extension DecodeError {
    /// The error under ``DamagePolicy/refuse``.
    init(_ damage: ImageDamage, format: ImageFormat) {
        let location = Location(format: format, byteOffset: damage.byteOffset, row: damage.row)
        switch damage.kind {
        case .truncated: self = .truncated(at: location)
        case .corrupt(let message): self = .corrupt(message, at: location)
        }
    }

    /// The damage of which the error tells; nil where it tells of something else.
    var damage: ImageDamage? {
        switch self {
        case .truncated(let location): ImageDamage(.truncated, byteOffset: location.byteOffset, row: location.row)
        case .corrupt(let message, let location):
            ImageDamage(.corrupt(message), byteOffset: location.byteOffset, row: location.row)
        default: nil
        }
    }
}
