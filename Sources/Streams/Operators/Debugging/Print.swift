extension Publisher {
    /// Writes a line for each signal, request and cancel, and changes none of them.
    ///
    ///     upstream      1---2|
    ///     print("a")    1---2|
    ///
    /// Demand, failure and thread are the upstream's; lines are written on the thread of the signal, one at a time.
    ///
    /// - Parameters:
    ///   - prefix: The text in front of each line.
    ///   - stream: The stream that lines are written to; nil for the standard output.
    @inlinable
    public func print(
        _ prefix: String = "", to stream: (any TextOutputStream & Sendable)? = nil
    ) -> Publishers.Print<Self> {
        let lines = LineWriter(stream)
        return debug(prefix) { lines.write($0) }
    }

    /// Hands a line for each signal, request and cancel to a closure, and changes none of them.
    ///
    ///     upstream                  1---2|
    ///     debug("a") { log($0) }    1---2|
    ///
    /// Demand, failure and thread are the upstream's; the closure is called on the thread of the signal.
    ///
    /// - Parameters:
    ///   - label: The text in front of each line.
    ///   - log: Takes a line.
    @inlinable
    public func debug(_ label: String, log: @escaping @Sendable (String) -> Void) -> Publishers.HandleEvents<Self> {
        let prefix = label.isEmpty ? "" : "\(label): "
        return handleEvents(
            receiveSubscription: { log("\(prefix)receive subscription: (\($0))") },
            receiveOutput: { log("\(prefix)receive value: (\($0))") },
            receiveCompletion: { completion in
                switch completion {
                case .finished: log("\(prefix)receive finished")
                case .failure(let failure): log("\(prefix)receive error: (\(failure))")
                }
            },
            receiveCancel: { log("\(prefix)receive cancel") },
            receiveRequest: { log("\(prefix)request \($0)") })
    }
}

extension Publishers {
    /// Writes a line for each signal.
    public typealias Print<Upstream: Publisher> = HandleEvents<Upstream>
}
