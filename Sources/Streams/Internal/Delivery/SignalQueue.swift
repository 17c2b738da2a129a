import Synchronization

/// A stretch of a queue between one producer and one consumer.
///
/// Unchecked because of the elements and `next`: the producer writes them before it publishes the count that includes
/// them, and the consumer reads them after it has seen that count. `taken` is written by the consumer alone.
@usableFromInline
final class SignalChunk<Element: Sendable>: @unchecked Sendable {
    @usableFromInline let capacity: Int
    @usableFromInline let elements: UnsafeMutablePointer<Element>
    /// How many elements may be read; one more than the capacity when `next` may be as well.
    @usableFromInline let published = Atomic(0)
    @exclusivity(unchecked) @usableFromInline var next: SignalChunk?
    /// How many elements have been moved out, noted when the consumer is through with the chunk.
    @exclusivity(unchecked) @usableFromInline var taken = 0

    @inlinable
    init(capacity: Int) {
        self.capacity = capacity
        elements = .allocate(capacity: capacity)
    }

    deinit {
        let count = Swift.min(published.load(ordering: .acquiring), capacity)
        (elements + taken).deinitialize(count: count - taken)
        elements.deallocate()
    }
}

/// The producer's end: adding takes one atomic store, and an allocation for each chunk.
@usableFromInline
struct SignalInlet<Element: Sendable>: Sendable {
    @usableFromInline static var largestChunk: Int { 512 }

    @usableFromInline var chunk: SignalChunk<Element>
    @usableFromInline var count = 0

    @inlinable
    init(_ chunk: SignalChunk<Element>) {
        self.chunk = chunk
    }

    @inlinable @inline(__always)
    mutating func append(_ element: Element) {
        if count == chunk.capacity { extend() }
        (chunk.elements + count).initialize(to: element)
        count &+= 1
        chunk.published.store(count, ordering: .releasing)
    }

    /// Not inlined: once in a chunk, in the midst of what each value passes through.
    @inlinable @inline(never)
    mutating func extend() {
        let next = SignalChunk<Element>(capacity: Swift.min(4 * chunk.capacity, Self.largestChunk))
        chunk.next = next
        chunk.published.store(chunk.capacity + 1, ordering: .releasing)
        chunk = next
        count = 0
    }
}

/// The consumer's end: removing takes an atomic load for as many elements as have gathered.
@usableFromInline
struct SignalOutlet<Element: Sendable>: Sendable {
    @usableFromInline var chunk: SignalChunk<Element>
    @usableFromInline var taken = 0
    /// How many of the chunk's elements are known to be there.
    @usableFromInline var known = 0

    @inlinable
    init(_ chunk: SignalChunk<Element>) {
        self.chunk = chunk
    }

    @inlinable @inline(__always)
    mutating func popFirst() -> Element? { hasMore() ? takeKnown() : nil }

    /// Whether there is an element; then it is known.
    @inlinable @inline(__always)
    mutating func hasMore() -> Bool {
        if taken < known { return true }
        let published = chunk.published.load(ordering: .acquiring)
        // Nothing new, in this chunk or behind it.
        if published == known { return false }
        guard published <= chunk.capacity else { return lookForMore() }
        known = published
        return true
    }

    /// Takes the first element, which `hasMore()` has found there.
    @inlinable @inline(__always)
    mutating func takeKnown() -> Element {
        defer { taken &+= 1 }
        return (chunk.elements + taken).move()
    }

    /// Goes on to the next chunk. Not inlined: once in a chunk.
    @inlinable @inline(never)
    mutating func lookForMore() -> Bool {
        while true {
            let published = chunk.published.load(ordering: .acquiring)
            known = Swift.min(published, chunk.capacity)
            if taken < known { return true }
            guard published > chunk.capacity, let next = chunk.next else { return false }
            chunk.taken = taken
            chunk = next
            taken = 0
        }
    }

    /// Drops what is there. Call it before letting go of the queue: a long chain of chunks is taken apart here, one by
    /// one, instead of in a recursion of deinitialisers.
    @inlinable
    mutating func removeAll() {
        while popFirst() != nil {}
        chunk.taken = taken
    }
}
