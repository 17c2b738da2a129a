/// State that only the serial signals of one upstream touch.
///
/// Why this is sound without a lock: the contract says that a publisher delivers one signal at a time and that each
/// happens before the next (Reactive Streams 1.3), so two threads never touch the value at once. Nothing that may be
/// called at any time, such as `request` or `cancel`, may reach into it.
///
/// For the same reason the dynamic exclusivity check, 15 ns on every access, is off.
@usableFromInline
final class Serial<Value>: @unchecked Sendable {
    @exclusivity(unchecked) @usableFromInline
    var value: Value

    @inlinable @inline(__always)
    init(_ value: Value) {
        self.value = value
    }
}
