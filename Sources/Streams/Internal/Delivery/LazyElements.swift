/// The elements of a lazy sequence, each time anew.
///
/// Unchecked, as its closures can't be: whoever makes a publisher of a lazy sequence is told so by a warning.
struct LazyElements<Base: LazySequenceProtocol>: Sequence, @unchecked Sendable {
    let base: Base

    func makeIterator() -> Base.Iterator {
        base.makeIterator()
    }
}
