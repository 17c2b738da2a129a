import CAllocations
import Dispatch

/// Uses a result, so that what made it is not optimised away.
@inline(__always)
func keep(_ value: Int) {
    if opaque(value) == .min { print(value) }
}

/// Keeps an object from being optimised away.
@inline(__always)
func keepAlive(_ object: AnyObject) {
    keep(Int(bitPattern: ObjectIdentifier(object)))
}

/// Runs asynchronous work to its end and blocks meanwhile: what a peer that knows only `async` is measured by.
func blocking(_ work: @escaping @Sendable () async -> Void) {
    let done = DispatchSemaphore(value: 0)
    Task {
        await work()
        done.signal()
    }
    done.wait()
}
