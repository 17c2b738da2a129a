/// A first-in, first-out queue over one array: appending and removing take amortised constant time.
@usableFromInline
struct Deque<Element> {
    @usableFromInline var elements: [Element?] = []
    @usableFromInline var head = 0

    @inlinable
    init() {}

    @inlinable
    var count: Int { elements.count - head }

    @inlinable
    var isEmpty: Bool { head == elements.count }

    @inlinable
    mutating func append(_ element: Element) {
        elements.append(element)
    }

    @inlinable
    mutating func popFirst() -> Element? {
        guard head < elements.count else { return nil }
        let first = elements[head].take()
        head += 1
        if head == elements.count {
            elements.removeAll(keepingCapacity: head <= 64)
            head = 0
        } else if head > 64, 2 * head > elements.count {
            elements.removeFirst(head)
            head = 0
        }
        return first
    }
}

extension Deque: Sendable where Element: Sendable {}
