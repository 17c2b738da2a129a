/// State of one stream that need not be `Sendable`, in use by one signal at a time, without a lock: a parser, a decoder, a handle
/// of a C library.
///
///     struct Framing<Failure: Error>: ValueStage {
///         func makeState() -> SerialState<Parser> { SerialState(Parser()) }
///         func receive(_ bytes: [UInt8], _ parser: inout SerialState<Parser>) -> Stages.Step<Frame, Failure> {
///             if let frame = parser.withValue({ $0.parse(bytes) }) { .next(frame) } else { .skip }
///         }
///     }
///
/// The signals of one stream come one after the other, so what only they touch needs no lock. The compiler cannot know
/// that of a subscriber's or a stage's state, and asks for `Sendable`; this type is, and checks each use instead. A use that begins
/// while another goes on, on another thread or within it, is a programmer's error and stops the program. It never waits.
///
/// - For what any thread may call at any time, such as `request` and `cancel`, take a `Mutex`.
/// - Code of somebody else's may run in ``withValue(_:)``, as no lock is held. But deliver downstream after it: a subscriber may
///   answer with anything, such as the next signal.
/// - Copies share the one value. It is released with the last of them, on whichever thread, or when it is replaced: an optional one by nil.
/// - It takes an allocation, and two atomic operations for each use. State that is `Sendable` needs none of this in a ``Stage``.
@frozen
public struct SerialState<Value: ~Copyable>: Sendable {
    @usableFromInline let cell: ExclusiveCell<Value>

    /// Takes ownership of a value: nothing else may refer to it or to what belongs to it.
    ///
    /// - Parameter value: The value to own.
    @inlinable
    public init(_ value: consuming sending Value) {
        cell = ExclusiveCell(value)
    }

    /// Calls a closure with the value. Not to be called while it is in use.
    ///
    /// - Parameter body: Gets the value, exclusively, and changes it. Where it throws, the value stays as it was left.
    @inlinable
    public func withValue<Result: ~Copyable & Sendable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try cell.withValue(body)
    }
}
