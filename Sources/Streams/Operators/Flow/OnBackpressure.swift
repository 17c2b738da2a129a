extension Publisher {
    /// Keeps values until they are requested; requests everything from the upstream.
    ///
    ///     upstream                   1-2-3-4-5|
    ///     requests                   ---------2------3-
    ///     onBackpressureBuffer(3)    ---------(34)---5|
    ///
    /// Demand: unlimited of the upstream; of the values without demand the newest are kept, as many as `limit`, or
    /// every one where it is nil. Failure: the upstream's, behind what is kept. Thread: the upstream's, or that of the
    /// request.
    ///
    /// - Parameter limit: The largest number of values to keep; nil for no limit.
    @_disfavoredOverload
    @inlinable @inline(__always)
    public func onBackpressureBuffer(_ limit: Int? = nil) -> Publishers.Buffer<Self> {
        buffer(size: limit ?? .max, prefetch: .byRequest, whenFull: .dropOldest)
    }

    /// Drops values that arrive without demand.
    ///
    ///     upstream                1-2-3-4-5|
    ///     requests                -1----3---
    ///     onBackpressureDrop()    --2-----5|
    ///
    /// Demand: unlimited of the upstream. Failure and thread are the upstream's.
    @_disfavoredOverload
    @inlinable @inline(__always)
    public func onBackpressureDrop() -> Publishers.Buffer<Self> {
        buffer(size: 0, prefetch: .byRequest, whenFull: .dropNewest)
    }

    /// Keeps the newest value until it is requested.
    ///
    ///     upstream                  1-2-3-4-5|
    ///     requests                  -----2------3-
    ///     onBackpressureLatest()    -----34-----5|
    ///
    /// Demand: unlimited of the upstream. Failure: the upstream's, behind the value that is kept. Thread: the upstream's,
    /// or that of the request.
    @_disfavoredOverload
    @inlinable @inline(__always)
    public func onBackpressureLatest() -> Publishers.Buffer<Self> {
        onBackpressureBuffer(1)
    }
}
