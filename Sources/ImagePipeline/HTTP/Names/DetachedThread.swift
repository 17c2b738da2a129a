import Files

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
    /// - Parameter stackSize: Its stack in bytes; nil for the system's default.
    /// - Returns: Whether there is one; if not, the closure is not run.
    static func start(stackSize: Int? = nil, _ run: @escaping @Sendable () -> Void) -> Bool {
        var attributes = pthread_attr_t()
        guard pthread_attr_init(&attributes) == 0 else { return false }
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        if let stackSize { pthread_attr_setstacksize(&attributes, stackSize) }
        let work = Unmanaged.passRetained(Work(run))
        #if canImport(Darwin)
            var thread: pthread_t?
        #else
            var thread = pthread_t()
        #endif
        let status = pthread_create(
            &thread, &attributes,
            { argument in
                #if canImport(Darwin)
                    Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run()
                #else
                    if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run() }
                #endif
                return nil
            }, work.toOpaque())
        if status != 0 { work.release() }
        return status == 0
    }
}
