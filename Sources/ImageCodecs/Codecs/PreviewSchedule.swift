/// Which degraded images of a file are given: a few, each better than the one before.
///
/// Of a picture that comes row by row the first one has an eighth of the rows, and each of the next a quarter more; what is
/// missing in those that follow becomes a quarter each time. So the picture moves early, and the last is near to the final one.
struct PreviewSchedule {
    /// At most so many: each costs a pass over the picture, or a copy of it.
    private static let most = 8
    private static let allShares = [1.0 / 8, 3.0 / 8, 5.0 / 8, 7.0 / 8, 31.0 / 32, 127.0 / 128, 511.0 / 512]

    /// Of a large picture that is not reduced, a copy takes a quarter of the time that a JPEG's decode takes.
    private static let fewShares = [3.0 / 8, 127.0 / 128]

    /// Of the last one given.
    private(set) var quality = 0.0
    private var count = 0
    private var nextShare = 0

    /// Whether more may follow.
    var isOpen: Bool { count < Self.most }

    /// Whether an image of this quality would be a gain.
    ///
    /// - Parameter isCostly: only the first one is made, and one of half the quality or more.
    func wants(_ quality: Double, isCostly: Bool = false) -> Bool {
        guard isOpen, quality > self.quality else { return false }
        return !isCostly || count == 0 || count == 1 && quality >= 0.5
    }

    /// Whether images of rows would be near enough to the final one in the end. Where the last of them come at once, and are too
    /// large a part of the picture, it is small, and comes in a moment.
    ///
    /// - Parameters:
    ///   - rows: how many are missing in the last image before the final one.
    ///   - isClear: they are clear there, and not like those above them.
    static func allows(missing rows: Int, of height: Int, isClear: Bool = false) -> Bool {
        rows <= height / (isClear ? 512 : 24)
    }

    /// Whether so many rows are worth an image. Asked once: the next time there must be more.
    ///
    /// - Parameters:
    ///   - last: with so many of them the last image is made that comes before the final one.
    ///   - isCostly: only two are made.
    mutating func wants(rows: Int, of height: Int, last: Int, isCostly: Bool = false) -> Bool {
        let shares = isCostly ? Self.fewShares : Self.allShares
        let before = nextShare
        while isOpen, nextShare < shares.count, rows > 0,
            rows >= min(last, Int((Double(height) * shares[nextShare]).rounded(.up)))
        {
            nextShare += 1
        }
        return nextShare > before
    }

    mutating func give(_ previews: [(image: Image, quality: Double)?]) -> DegradedImage? {
        guard let first = previews.first ?? nil else { return nil }
        count += 1
        quality = first.quality
        let further = previews.dropFirst().map { $0.map { DegradedImage(image: $0.image, quality: $0.quality) } }
        return DegradedImage(image: first.image, quality: first.quality, further: further)
    }

    /// Gives pictures that are all of one quality.
    mutating func give(_ images: [Image], quality: Double) -> DegradedImage? {
        give(images.map { ($0, quality) })
    }
}
