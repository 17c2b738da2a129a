public import CThread
import Synchronization

/// The state of a memory cache, which many threads look into at once and one changes.
///
/// A look-up takes the lock of one of a few slots, which hardly another thread uses, and notes the use there. A change takes the locks of
/// all of them, in their order, and counts what was noted before it does anything else. So hits hold each other up no more than what two
/// processors share anyway, the counts of references to one value.
///
/// Unchecked because of its pointers: the state is read by whoever holds one lock, and a slot's notes are changed by whoever holds its own;
/// the state is changed, and the notes of all are read, by whoever holds all locks. The memory is the object's own until it goes.
@usableFromInline
final class MemoryCacheSlots<Key: Hashable & Sendable, Value: Sendable>: @unchecked Sendable {
    @usableFromInline typealias State = MemoryCacheState<Key, Value>

    @usableFromInline
    struct Slot: ~Copyable {
        @usableFromInline let lock = Mutex(())
        /// The places of the values that were used, in order; the first `count` of them.
        @usableFromInline var count = 0
        @usableFromInline let places: UnsafeMutablePointer<Int32>
        // The next slot's lock is not in what a processor fetches together with this one.
        private let padding: SIMD16<UInt64> = .zero

        init(capacity: Int) {
            places = .allocate(capacity: capacity)
            places.initialize(repeating: -1, count: capacity)
        }

        deinit { places.deallocate() }
    }

    @usableFromInline let state: UnsafeMutablePointer<State>
    @usableFromInline let slots: UnsafeMutablePointer<Slot>
    @usableFromInline let usesAtOnce: Int
    @usableFromInline static var slotBits: Int { 3 }

    /// - Parameter usesAtOnce: The number of uses that a slot notes before they are counted.
    init(_ state: State, usesAtOnce: Int = 64) {
        self.usesAtOnce = max(1, usesAtOnce)
        self.state = .allocate(capacity: 1)
        self.state.initialize(to: state)
        slots = .allocate(capacity: 1 << Self.slotBits)
        for index in 0..<1 << Self.slotBits { (slots + index).initialize(to: Slot(capacity: self.usesAtOnce)) }
    }

    deinit {
        slots.deinitialize(count: 1 << Self.slotBits)
        slots.deallocate()
        state.deinitialize(count: 1)
        state.deallocate()
    }

    /// Returns the entry of a key, which counts as a use of it; nil when there is none.
    @inlinable
    func use(_ key: Key, _ hash: Int) -> State.Entry? {
        // Threads lie some pages apart: the upper bits of the product depend on all that tells them from each other.
        let number = (UInt64(current_thread()) &* 0x9E37_79B9_7F4A_7C15) >> UInt64(64 - Self.slotBits)
        let slot = slots + Int(truncatingIfNeeded: number)
        while true {
            let found = slot.pointee.lock.withLock { _ -> State.Entry? in
                let count = slot.pointee.count
                guard count < usesAtOnce else { return nil }
                guard let place = state.pointee.list.place(hash, where: { $0.key == key }) else { return nil }
                slot.pointee.places[count] = Int32(truncatingIfNeeded: place)
                slot.pointee.count = count + 1
                return state.pointee.list.values[place]
            }
            if let found { return found }
            if !change({ $0.didMiss(key, hash) }) { return nil }
        }
    }

    /// Changes the state, behind the uses that were noted.
    @inlinable
    func change<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
        holding(from: 0) {
            for index in 0..<1 << Self.slotBits {
                let slot = slots + index
                for use in 0..<slot.pointee.count { state.pointee.didUse(Int(slot.pointee.places[use])) }
                slot.pointee.count = 0
            }
            return body(&state.pointee)
        }
    }

    /// Calls a closure with the locks of all slots from one on.
    @inlinable
    func holding<Result: Sendable>(from index: Int, _ body: () -> Result) -> Result {
        if index == 1 << Self.slotBits { return body() }
        return slots[index].lock.withLock { _ in holding(from: index + 1, body) }
    }
}
