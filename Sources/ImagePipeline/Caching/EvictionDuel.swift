/// The choice between eviction by last use and by frequency: what each of them would have kept of a sample of the keys.
///
/// Both are played in small, by hashes alone, with the share of the limits that the sample has of the keys. Whichever has found clearly
/// more of late decides.
@usableFromInline
struct EvictionDuel: Sendable {
    @usableFromInline var frequencies: FrequencySketch
    @usableFromInline var isByFrequency = false
    @usableFromInline let sampling: UInt
    private var recent: Play
    private var frequent: Play
    /// The number of hits that last use has found more, within `span` of zero.
    private var lead = 0
    private let span: Int
    private let count: Int

    /// A cache in small, whose values are the hashes.
    private struct Play: Sendable {
        var places: CachePlaces<Int>
        var order = CacheOrder()
    }

    /// - Parameter count: The number of values in the cache, which is full.
    init(count: Int, costLimit: Int, countLimit: Int, isByFrequency: Bool = false) {
        self.count = count
        self.isByFrequency = isByFrequency
        var share = 1
        while share < 256, count / (2 * share) >= 100 { share *= 2 }
        sampling = UInt(share)
        span = max(16, count / share / 2)
        frequencies = FrequencySketch(count: max(64, count))
        recent = Play(places: CachePlaces(costLimit: costLimit / share, countLimit: max(1, countLimit / share)))
        frequent = recent
        if isByFrequency { lead = -span }
    }

    /// Whether the cache has so many more or fewer values by now that another sample suits it.
    func isOutgrown(by count: Int) -> Bool {
        count > 4 * self.count || 4 * count < self.count
    }

    @inlinable
    func isSampled(_ hash: Int) -> Bool {
        UInt(bitPattern: hash) >> 56 & (sampling - 1) == 0
    }

    /// Notes that a value was looked for.
    ///
    /// - Parameter cost: The cost of the value; nil when it isn't there.
    @inlinable
    mutating func didLookUp(_ hash: Int, cost: Int?) {
        frequencies.use(hash)
        if isSampled(hash) { play(hash, cost: cost) }
    }

    /// Notes that a value was inserted that may not have been there.
    mutating func didInsert(_ hash: Int, cost: Int) {
        guard isSampled(hash) else { return }
        Self.insert(hash, cost: cost, in: &recent, nil)
        Self.insert(hash, cost: cost, in: &frequent, frequencies)
    }

    @usableFromInline
    mutating func play(_ hash: Int, cost: Int?) {
        let isRecent = Self.use(hash, in: &recent, byFrequency: false)
        let isFrequent = Self.use(hash, in: &frequent, byFrequency: true)
        if isRecent != isFrequent {
            lead = min(span, max(-span, lead + (isRecent ? 1 : -1)))
            // Changed for less, it would follow every turn of a thumb that scrolls, and lose a hit in a hundred by it.
            if abs(lead) == span { isByFrequency = lead < 0 }
        }
        if let cost { didInsert(hash, cost: cost) }
    }

    private static func use(_ hash: Int, in play: inout Play, byFrequency: Bool) -> Bool {
        guard let place = play.places.place(hash, where: { $0 == hash }) else { return false }
        play.order.use(place, byFrequency: byFrequency)
        return true
    }

    private static func insert(_ hash: Int, cost: Int, in play: inout Play, _ frequencies: FrequencySketch?) {
        guard play.places.place(hash, where: { $0 == hash }) == nil else { return }
        _ = play.places.insert(hash, hash, cost: cost, in: &play.order, frequencies: frequencies) { _ in false }
    }
}
