import CJPEG

/// Moves a picture from libjpeg into a ``Reduction``.
protocol JPEGSource: AnyObject {
    /// Has libjpeg leave out what the reduction does not look at.
    func crop(to reduction: Reduction, of handle: borrowing JPEGHandle)
    func pull(from handle: borrowing JPEGHandle, into reduction: Reduction, watch: DecodeWatch) -> JPEGOutcome
}

/// What a call to ``JPEGSource/pull(from:into:watch:)`` ended with.
enum JPEGOutcome {
    case complete
    case needsBytes
    case failed
    /// The watch said so.
    case stopped
}
