/// The order in which the values of a cache are evicted, by their places: that of their last use, or of how often they were used.
///
/// Links are indices into one array, below zero for none: neither a use nor an eviction allocates, and each takes constant time. Apart from
/// the places themselves, which others look into while uses are counted here.
///
/// There are two lists. All values come into the window. Without frequencies it is the only one. With them, what leaves the window has
/// to be used more often than the oldest of the main list to take its place.
@usableFromInline
struct CacheOrder: Sendable {
    /// The facts by which a value is evicted or stays.
    @usableFromInline
    struct Mark: Sendable {
        @usableFromInline var hash = 0
        @usableFromInline var cost = 0
        @usableFromInline var lastUse: UInt64 = 0
        @usableFromInline var isMain = false
    }

    /// The neighbours of a value. In an array of their own, which stays in the processor's cache: a use changes those of four values.
    @usableFromInline
    struct Link: Sendable {
        @usableFromInline var newer: Int32 = -1
        @usableFromInline var older: Int32 = -1

        @inlinable init(older: Int32 = -1) { self.older = older }
    }

    /// One of the two lists.
    @usableFromInline
    struct Ends: Sendable {
        @usableFromInline var newest: Int32 = -1
        @usableFromInline var oldest: Int32 = -1
        @usableFromInline var cost = 0

        @inlinable init() {}
    }

    /// The number of values that one eviction moves at most from a window that has become too large.
    private static var movesAtOnce: Int { 8 }

    @usableFromInline var marks: [Mark] = []
    @usableFromInline var links: [Link] = []
    @usableFromInline var window = Ends()
    @usableFromInline var main = Ends()
    @usableFromInline var uses: UInt64 = 0

    init() {}

    var totalCost: Int { window.cost + main.cost }

    /// Makes the value in a place the one that was used last.
    ///
    /// - Parameter byFrequency: Whether what is in the main list stays there.
    @inlinable
    mutating func use(_ place: Int, byFrequency: Bool) {
        uses += 1
        let time = uses
        withBuffers { buffers, window, main in
            buffers.marks[place].lastUse = time
            let isMain = buffers.marks[place].isMain
            if !isMain, window.newest == Int32(truncatingIfNeeded: place) { return }
            Self.unlink(place, buffers, &window, &main)
            Self.link(place, inMain: isMain && byFrequency, buffers, &window, &main)
        }
    }

    /// Adds a value as the one that was used last, in a place that was removed or in the next one.
    mutating func insert(_ place: Int, hash: Int, cost: Int) {
        uses += 1
        let mark = Mark(hash: hash, cost: cost, lastUse: uses)
        if place == marks.count {
            marks.append(mark)
            links.append(Link())
        } else {
            marks[place] = mark
        }
        link(place, inMain: false)
    }

    /// The place of the value that is evicted next, to make room for another of this cost; nil if there is none.
    mutating func victim(for cost: Int, _ frequencies: FrequencySketch?) -> Int? {
        guard let frequencies else { return older(window.oldest, main.oldest) }
        // A twentieth of what there is, however many values that are.
        let windowLimit = totalCost / 20
        for _ in 0..<Self.movesAtOnce where window.cost > windowLimit && window.oldest != window.newest {
            moveOldestToMain()
        }
        let (candidate, victim) = (Int(window.oldest), Int(main.oldest))
        guard window.cost > windowLimit - cost, candidate >= 0, victim >= 0 else {
            let only = victim >= 0 ? victim : candidate
            return only < 0 ? nil : only
        }
        guard frequencies.estimate(marks[candidate].hash) > frequencies.estimate(marks[victim].hash) else {
            return candidate
        }
        moveOldestToMain()
        return victim
    }

    private mutating func moveOldestToMain() {
        let place = Int(window.oldest)
        guard place >= 0 else { return }
        unlink(place)
        link(place, inMain: true)
    }

    /// Of the oldest of each list the one that was used longer ago.
    private func older(_ one: Int32, _ other: Int32) -> Int? {
        guard one >= 0, other >= 0 else { return max(one, other) < 0 ? nil : Int(max(one, other)) }
        return Int(marks[Int(one)].lastUse < marks[Int(other)].lastUse ? one : other)
    }
}

// Links. Buffers, as each change by way of an array asks first whether the array is shared.
extension CacheOrder {
    @usableFromInline typealias Buffers = (
        marks: UnsafeMutableBufferPointer<Mark>, links: UnsafeMutableBufferPointer<Link>
    )

    @inlinable @inline(__always)
    mutating func withBuffers(_ body: (_ buffers: Buffers, _ window: inout Ends, _ main: inout Ends) -> Void) {
        marks.withUnsafeMutableBufferPointer { marks in
            links.withUnsafeMutableBufferPointer { links in body((marks, links), &window, &main) }
        }
    }

    mutating func link(_ place: Int, inMain: Bool) {
        withBuffers { Self.link(place, inMain: inMain, $0, &$1, &$2) }
    }

    mutating func unlink(_ place: Int) {
        withBuffers { Self.unlink(place, $0, &$1, &$2) }
    }

    @inlinable @inline(__always)
    static func link(_ place: Int, inMain: Bool, _ buffers: Buffers, _ window: inout Ends, _ main: inout Ends) {
        buffers.marks[place].isMain = inMain
        let cost = buffers.marks[place].cost
        func append(to ends: inout Ends) {
            let index = Int32(truncatingIfNeeded: place)
            buffers.links[place] = Link(older: ends.newest)
            if ends.newest >= 0 { buffers.links[Int(ends.newest)].newer = index } else { ends.oldest = index }
            ends.newest = index
            ends.cost += cost
        }
        if inMain { append(to: &main) } else { append(to: &window) }
    }

    @inlinable @inline(__always)
    static func unlink(_ place: Int, _ buffers: Buffers, _ window: inout Ends, _ main: inout Ends) {
        let (link, cost) = (buffers.links[place], buffers.marks[place].cost)
        func remove(from ends: inout Ends) {
            if link.newer >= 0 { buffers.links[Int(link.newer)].older = link.older } else { ends.newest = link.older }
            if link.older >= 0 { buffers.links[Int(link.older)].newer = link.newer } else { ends.oldest = link.newer }
            ends.cost -= cost
        }
        if buffers.marks[place].isMain { remove(from: &main) } else { remove(from: &window) }
    }
}
