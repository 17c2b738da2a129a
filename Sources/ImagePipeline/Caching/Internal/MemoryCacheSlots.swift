public import CThread
import Synchronization

/// The state of a memory cache, which many threads look into at once and one changes.
///
/// A look-up takes the lock of one of a few slots, which hardly another thread uses, and notes the use there. The lists, marks and counters
/// that a use changes lie all over memory: they are changed for many uses together, so that the processor need not wait for one before it
/// looks for the next, and while others look up. A change takes the locks of all slots, in their order, and counts what was noted before it
/// does anything else: on one thread nobody can tell that uses waited. So hits hold each other up no more than what two processors share anyway, the
/// counts of references to one value.
///
/// Unchecked because of its pointers: the state is read by whoever holds the lock of one slot, and a slot's notes are changed by whoever
/// holds its own; the state is changed, and the notes of all are read, by whoever holds those of all. The memory is the object's own until
/// it goes.
@usableFromInline
final class MemoryCacheSlots<Key: Hashable & Sendable, Value: Sendable>: @unchecked Sendable {
    @usableFromInline typealias State = MemoryCacheState<Key, Value>

    @usableFromInline
    struct Slot: ~Copyable {
        @usableFromInline let lock = Mutex(())
        /// The places of the values that were used, in order, behind their number. That is not a variable beside the lock: a change of it
        /// would be one of the structure, while others try the lock.
        @usableFromInline let notes: UnsafeMutablePointer<Int32>
        // The next slot's lock is not in what a processor fetches together with this one.
        private let padding: SIMD16<UInt64> = .zero

        init(capacity: Int) {
            notes = .allocate(capacity: 1 + capacity)
            notes.initialize(repeating: 0, count: 1 + capacity)
        }

        deinit { notes.deallocate() }

        /// The number of places that are noted.
        @inlinable var count: Int {
            get { Int(truncatingIfNeeded: notes[0]) }
            nonmutating set { notes[0] = Int32(truncatingIfNeeded: newValue) }
        }

        @inlinable func place(_ index: Int) -> Int { Int(truncatingIfNeeded: notes[1 + index]) }

        @inlinable
        func note(_ place: Int) {
            count += 1
            notes[count] = Int32(truncatingIfNeeded: place)
        }
    }

    @usableFromInline let state: UnsafeMutablePointer<State>
    /// By reference, as the rest: nobody has to fetch the pointers again because a lock beside them was taken.
    @usableFromInline let uses: UnsafeMutablePointer<Mutex<CacheUses>>
    @usableFromInline let slots: UnsafeMutablePointer<Slot>
    @usableFromInline let usesAtOnce: Int
    @usableFromInline static var slotBits: Int { 3 }

    /// - Parameter usesAtOnce: The number of uses, one at least, that a slot notes before they are counted; twice as many while another counts.
    init(_ state: State, usesAtOnce: Int = 64) {
        self.usesAtOnce = usesAtOnce
        self.state = .allocate(capacity: 1)
        self.state.initialize(to: state)
        uses = .allocate(capacity: 1)
        uses.initialize(to: Mutex(CacheUses()))
        slots = .allocate(capacity: 1 << Self.slotBits)
        for index in 0..<1 << Self.slotBits { (slots + index).initialize(to: Slot(capacity: 2 * self.usesAtOnce)) }
    }

    deinit {
        slots.deinitialize(count: 1 << Self.slotBits)
        slots.deallocate()
        uses.deinitialize(count: 1)
        uses.deallocate()
        state.deinitialize(count: 1)
        state.deallocate()
    }

    /// Returns what a closure takes from the entry of a key, which counts as a use of it; nil when there is none.
    @inlinable
    func use<Part: Sendable>(_ key: Key, _ hash: Int, _ take: (State.Entry) -> Part) -> Part? {
        // Threads lie some pages apart: the upper bits of the product depend on all that tells them from each other.
        let number = (UInt64(current_thread()) &* 0x9E37_79B9_7F4A_7C15) >> UInt64(64 - Self.slotBits)
        let slot = slots + Int(truncatingIfNeeded: number)
        while true {
            let part = slot.pointee.lock.withLock { _ -> Part? in
                guard let place = state.pointee.places.place(hash, where: { $0.key == key }),
                    let entry = state.pointee.places.values[place]
                else { return nil }
                note(place, in: slot)
                return take(entry)
            }
            if let part { return part }
            if !change({ $0.didMiss(key, hash, &$1) }) { return nil }
        }
    }

    /// Notes a use in a slot whose lock is held.
    @inlinable
    func note(_ place: Int, in slot: UnsafeMutablePointer<Slot>) {
        slot.pointee.note(place)
        if slot.pointee.count >= usesAtOnce { countIfPossible(slot) }
    }

    /// Counts what a slot has noted, unless another thread counts and there is room for more notes.
    @inlinable @inline(never)
    func countIfPossible(_ slot: UnsafeMutablePointer<Slot>) {
        let counted: Void? = uses.pointee.withLockIfAvailable { count(slot, in: &$0) }
        if counted == nil, slot.pointee.count == 2 * usesAtOnce { uses.pointee.withLock { count(slot, in: &$0) } }
    }

    @inlinable
    func count(_ slot: UnsafeMutablePointer<Slot>, in uses: inout CacheUses) {
        for use in 0..<slot.pointee.count { uses.didUse(slot.pointee.place(use)) }
        slot.pointee.count = 0
    }

    /// Changes the state, behind the uses that were noted.
    @inlinable
    func change<Result: Sendable>(_ body: (inout State, inout CacheUses) -> Result) -> Result {
        holding(from: 0) {
            uses.pointee.withLock { uses in
                for index in 0..<1 << Self.slotBits { count(slots + index, in: &uses) }
                return body(&state.pointee, &uses)
            }
        }
    }

    /// Calls a closure with the locks of all slots from one on.
    @inlinable
    func holding<Result: Sendable>(from index: Int, _ body: () -> Result) -> Result {
        if index == 1 << Self.slotBits { return body() }
        return slots[index].lock.withLock { _ in holding(from: index + 1, body) }
    }
}
