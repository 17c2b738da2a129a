/// A value of a type that is not Sendable, handed on to where it may be used.
///
/// Unchecked, as each of its users says why that holds: an observer's token and a notification's object are only handed on
/// and compared; a run loop is only given timers, which it takes from any thread; a timer is only invalidated; a notification
/// is its poster's, who shares its contents with whoever observes.
struct Kept<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }
}
