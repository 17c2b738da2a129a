import Dispatch

extension DispatchQueue: Scheduler {
    /// A moment on the clock that stands still while the machine sleeps.
    public struct SchedulerTimeType: Strideable, Sendable, Hashable, Codable {
        /// The moment in Dispatch's own terms.
        public var dispatchTime: DispatchTime

        /// Creates a moment.
        ///
        /// - Parameter time: The moment in Dispatch's own terms.
        public init(_ time: DispatchTime) {
            dispatchTime = time
        }

        public init(from decoder: any Decoder) throws {
            let nanoseconds = try decoder.singleValueContainer().decode(UInt64.self)
            self.init(DispatchTime(uptimeNanoseconds: nanoseconds))
        }

        public func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(dispatchTime.uptimeNanoseconds)
        }

        public func distance(to other: SchedulerTimeType) -> Stride {
            let from = dispatchTime.uptimeNanoseconds
            let to = other.dispatchTime.uptimeNanoseconds
            return Stride(magnitude: to >= from ? Int(clamping: to - from) : -Int(clamping: from - to))
        }

        public func advanced(by stride: Stride) -> SchedulerTimeType {
            SchedulerTimeType(dispatchTime + .nanoseconds(stride.magnitude))
        }

        public func hash(into hasher: inout Hasher) {
            hasher.combine(dispatchTime.uptimeNanoseconds)
        }

        /// A span of time in nanoseconds. As a literal it is in seconds: `debounce(for: 0.3, …)`.
        public struct Stride: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric, ExpressibleByFloatLiteral,
            Sendable, Hashable, Codable
        {
            /// The number of nanoseconds.
            public var magnitude: Int

            /// Creates a span of nanoseconds.
            ///
            /// - Parameter magnitude: The number of nanoseconds.
            public init(magnitude: Int) { self.magnitude = magnitude }
            public init(integerLiteral value: Int) { magnitude = value.multipliedSaturating(by: 1_000_000_000) }
            public init(floatLiteral value: Double) { self = .seconds(value) }

            /// Creates a span of one of Dispatch's; `.never` is the longest.
            ///
            /// - Parameter timeInterval: The span in Dispatch's own terms.
            public init(_ timeInterval: DispatchTimeInterval) {
                switch timeInterval {
                case .seconds(let count): self = .seconds(count)
                case .milliseconds(let count): self = .milliseconds(count)
                case .microseconds(let count): self = .microseconds(count)
                case .nanoseconds(let count): self = .nanoseconds(count)
                case .never: self.init(magnitude: .max)
                @unknown default: self.init(magnitude: .max)
                }
            }

            public init?<T: BinaryInteger>(exactly source: T) {
                guard let seconds = Int(exactly: source) else { return nil }
                self.init(integerLiteral: seconds)
            }

            /// The span in Dispatch's own terms.
            public var timeInterval: DispatchTimeInterval { .nanoseconds(magnitude) }

            public static func seconds(_ s: Int) -> Stride { Stride(integerLiteral: s) }
            public static func seconds(_ s: Double) -> Stride {
                Stride(magnitude: Int(exactly: (s * 1e9).rounded()) ?? (s < 0 ? .min : .max))
            }
            public static func milliseconds(_ ms: Int) -> Stride {
                Stride(magnitude: ms.multipliedSaturating(by: 1_000_000))
            }
            public static func microseconds(_ us: Int) -> Stride {
                Stride(magnitude: us.multipliedSaturating(by: 1_000))
            }
            public static func nanoseconds(_ ns: Int) -> Stride { Stride(magnitude: ns) }

            public static func < (lhs: Stride, rhs: Stride) -> Bool { lhs.magnitude < rhs.magnitude }
            public static func + (lhs: Stride, rhs: Stride) -> Stride {
                let (sum, overflow) = lhs.magnitude.addingReportingOverflow(rhs.magnitude)
                return Stride(magnitude: overflow ? (lhs.magnitude < 0 ? .min : .max) : sum)
            }
            public static func - (lhs: Stride, rhs: Stride) -> Stride {
                let (difference, overflow) = lhs.magnitude.subtractingReportingOverflow(rhs.magnitude)
                return Stride(magnitude: overflow ? (lhs.magnitude < 0 ? .min : .max) : difference)
            }
            public static func * (lhs: Stride, rhs: Stride) -> Stride {
                Stride(magnitude: lhs.magnitude.multipliedSaturating(by: rhs.magnitude))
            }
            public static func += (lhs: inout Stride, rhs: Stride) { lhs = lhs + rhs }
            public static func -= (lhs: inout Stride, rhs: Stride) { lhs = lhs - rhs }
            public static func *= (lhs: inout Stride, rhs: Stride) { lhs = lhs * rhs }
        }
    }

    /// The options with which a block is submitted.
    public struct SchedulerOptions: Sendable {
        /// The quality of service of the block.
        public var qos: DispatchQoS
        /// The flags of the work item that is made of the block.
        public var flags: DispatchWorkItemFlags {
            get { DispatchWorkItemFlags(rawValue: rawFlags) }
            set { rawFlags = newValue.rawValue }
        }
        /// The dispatch group that the block belongs to, if any.
        public var group: DispatchGroup?

        /// The flags' type is not Sendable, its raw value is.
        private var rawFlags: UInt

        /// Creates options; the defaults are Dispatch's.
        ///
        /// - Parameters:
        ///   - qos: The quality of service of the block.
        ///   - flags: Further flags.
        ///   - group: The dispatch group that the block belongs to, if any.
        public init(qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], group: DispatchGroup? = nil) {
            self.qos = qos
            rawFlags = flags.rawValue
            self.group = group
        }
    }

    public var now: SchedulerTimeType { SchedulerTimeType(.now()) }

    public var minimumTolerance: SchedulerTimeType.Stride { .nanoseconds(0) }

    @preconcurrency
    public func schedule(options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void) {
        guard let options else { return async(execute: action) }
        async(group: options.group, qos: options.qos, flags: options.flags, execute: action)
    }

    @preconcurrency
    public func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
        _ action: @escaping @Sendable () -> Void
    ) {
        guard let options else { return asyncAfter(deadline: date.dispatchTime, execute: action) }
        guard let group = options.group else {
            return asyncAfter(deadline: date.dispatchTime, qos: options.qos, flags: options.flags, execute: action)
        }
        group.enter()
        asyncAfter(deadline: date.dispatchTime, qos: options.qos, flags: options.flags) {
            action()
            group.leave()
        }
    }

    /// Runs work at a moment and then at every interval, until the result is cancelled. An interval that is not more than
    /// zero counts as a millisecond.
    ///
    /// - Parameters:
    ///   - date: The moment to run the work at.
    ///   - interval: The time between two runs.
    ///   - tolerance: The time by which the work may be late.
    ///   - options: The options with which work is scheduled; nil for the scheduler's own choice.
    ///   - action: The work to run.
    @preconcurrency
    public func schedule(
        after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
        options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void
    ) -> any Cancellable {
        let timer = DispatchSource.makeTimerSource(queue: self)
        // Dispatch traps on a negative one.
        let interval = interval > 0 ? interval : .milliseconds(1)
        timer.schedule(
            deadline: date.dispatchTime, repeating: interval.timeInterval,
            leeway: max(tolerance, minimumTolerance).timeInterval)
        timer.setEventHandler(qos: options?.qos ?? .unspecified, flags: options?.flags ?? [], handler: action)
        timer.activate()
        return TimerCancellable(timer)
    }
}

extension Int {
    fileprivate func multipliedSaturating(by other: Int) -> Int {
        let (product, overflow) = multipliedReportingOverflow(by: other)
        return overflow ? ((self < 0) != (other < 0) ? .min : .max) : product
    }
}
