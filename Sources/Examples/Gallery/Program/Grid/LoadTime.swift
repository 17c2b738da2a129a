/// The time that a load takes from its beginning to its final image, learnt from those that there were: a running mean.
struct LoadTime: Sendable {
    /// In seconds; 0 before the first load.
    private(set) var seconds = 0.0

    /// Takes a load into account.
    ///
    /// - Parameters:
    ///   - time: The seconds that it took, or has taken so far.
    ///   - isWhole: Whether its final image has come. One that was given up tells only that it would have taken longer.
    mutating func note(_ time: Double, isWhole: Bool) {
        guard isWhole || time > seconds else { return }
        seconds += (time - seconds) / 8
    }
}
