import CThread

/// A thread that runs a closure and ends.
enum DetachedThread {
    private final class Work: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }

    /// Starts a thread.
    ///
    /// - Parameters:
    ///   - name: Its name, of which the system keeps 15 bytes.
    ///   - stackSize: Its stack in bytes; nil for the system's default.
    /// - Returns: Whether there is one; if not, the closure is not run.
    static func start(_ name: String, stackSize: Int? = nil, _ run: @escaping @Sendable () -> Void) -> Bool {
        let work = Unmanaged.passRetained(Work(run))
        let status = start_thread(
            name, stackSize ?? 0, { Unmanaged<Work>.fromOpaque($0).takeRetainedValue().run() }, work.toOpaque())
        if status != 0 { work.release() }
        return status == 0
    }
}
