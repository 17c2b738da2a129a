import Synchronization

/// A value that one use at a time may touch; one that begins while another goes on stops the program.
///
/// Unchecked because of `value`, which only whoever has found the flag down and raised it touches, until they lower it: raising it
/// acquires what lowering it has released. Nothing of the value stays outside when it comes in, as it is sent, and nothing
/// of it gets out, as results are `Sendable`.
///
/// The flag does what the dynamic exclusivity check would do once more.
@usableFromInline
final class ExclusiveCell<Value: ~Copyable>: @unchecked Sendable {
    @usableFromInline let isInUse = Atomic(false)
    @exclusivity(unchecked) @usableFromInline var value: Value

    @inlinable
    init(_ value: consuming sending Value) {
        self.value = value
    }

    @inlinable
    func withValue<Result: ~Copyable & Sendable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        precondition(
            !isInUse.exchange(true, ordering: .acquiring),
            """
            A SerialState is used while it is in use. Serialise the signals that use it, as a subject or create does; deliver \
            what comes of them after withValue; and keep in a Mutex what any thread may ask for.
            """)
        defer { isInUse.store(false, ordering: .releasing) }
        return try body(&value)
    }
}
