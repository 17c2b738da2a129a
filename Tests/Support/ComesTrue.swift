import Files

/// Waits for what another thread is about to do, giving way to it meanwhile.
///
/// - Parameter condition: A closure that returns whether it has been done.
/// - Returns: False if it has not been done after ten million looks, which no test that passes needs.
package func comesTrue(_ condition: () -> Bool) -> Bool {
    for _ in 0..<10_000_000 {
        if condition() { return true }
        sched_yield()
    }
    return false
}
