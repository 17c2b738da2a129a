/// Places by the hash of a key: open addressing, in eight bytes a slot.
///
/// A slot has bits of its hash beside the place, so that hardly another key than the right one is looked at, and nothing else is read to
/// move a slot. As small as this it stays in the processor's cache, where what it leads to does not.
@usableFromInline
struct PlaceTable: Sendable {
    @usableFromInline
    struct Slot: Sendable {
        /// Below zero for none.
        @usableFromInline let place: Int32
        /// The lower half of the hash: all that says where the slot belongs.
        @usableFromInline let tag: UInt32

        @inlinable
        init(_ place: Int = -1, tag: UInt32 = 0) {
            self.place = Int32(truncatingIfNeeded: place)
            self.tag = tag
        }
    }

    @usableFromInline var slots: [Slot] = []
    private var count = 0

    init() {}

    /// Returns the place of a hash, of several the first one that is wanted.
    ///
    /// - Parameter isWanted: Whether a place is the right one; it is asked about those whose hashes agree in half of their bits.
    @inlinable
    func place(_ hash: Int, where isWanted: (Int) -> Bool) -> Int? {
        let mask = slots.count - 1
        guard mask > 0 else { return nil }
        let tag = UInt32(truncatingIfNeeded: hash)
        var index = hash & mask
        while true {
            let slot = slots[index]
            // A third of them are free, at least.
            if slot.place < 0 { return nil }
            if slot.tag == tag, isWanted(Int(slot.place)) { return Int(slot.place) }
            index = (index + 1) & mask
        }
    }

    /// Notes a place, which no other slot has.
    mutating func insert(_ place: Int, _ hash: Int) {
        if 3 * (count + 1) > 2 * slots.count {
            let old = slots
            slots = [Slot](repeating: Slot(), count: max(16, 2 * old.count))
            for slot in old where slot.place >= 0 { fill(slot) }
        }
        fill(Slot(place, tag: UInt32(truncatingIfNeeded: hash)))
        count += 1
    }

    /// Removes a place, and closes the gap: of those behind it, each that may stand there moves up.
    mutating func remove(_ place: Int, _ hash: Int) {
        let mask = slots.count - 1
        var gap = hash & mask
        while slots[gap].place != Int32(truncatingIfNeeded: place) { gap = (gap + 1) & mask }
        var index = (gap + 1) & mask
        while slots[index].place >= 0 {
            let home = Int(slots[index].tag) & mask
            if (index - home) & mask >= (index - gap) & mask {
                slots[gap] = slots[index]
                gap = index
            }
            index = (index + 1) & mask
        }
        slots[gap] = Slot()
        count -= 1
    }

    private mutating func fill(_ slot: Slot) {
        let mask = slots.count - 1
        var index = Int(slot.tag) & mask
        while slots[index].place >= 0 { index = (index + 1) & mask }
        slots[index] = slot
    }
}
