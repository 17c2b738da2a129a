/// A recorded thumb: flings that slow down, stops, and reversals, from the first photo to the last one and back.
struct Thumb: Sendable {
    /// The length of each fling, relative to the others, and the place in the list where it ends. A stop follows each.
    private static let flings: [(length: Double, end: Double)] = [
        (2, 0.12), (3, 0.4), (1.5, 0.33), (3, 0.75), (0.5, 0.74), (3, 1), (4, 0),
    ]
    /// The length of each stop, in seconds.
    private static let stop = 0.6

    /// In seconds.
    let duration: Double
    private let scale: Double

    init(duration: Double) {
        let stops = Double(Self.flings.count) * Self.stop
        self.duration = max(duration, stops + 1)
        scale = (self.duration - stops) / Self.flings.reduce(0) { $0 + $1.length }
    }

    /// The share of the list above the screen, and the number of the stop if the thumb rests.
    func position(at time: Double) -> (share: Double, stop: Int?) {
        var (start, begin) = (0.0, 0.0)
        for (index, fling) in Self.flings.enumerated() {
            let length = fling.length * scale
            if time < start + length {
                let rest = 1 - (time - start) / length
                return (begin + (fling.end - begin) * (1 - rest * rest * rest), nil)
            }
            begin = fling.end
            if time < start + length + Self.stop { return (begin, index) }
            start += length + Self.stop
        }
        return (begin, Self.flings.count - 1)
    }
}
