import Dispatch
import Streams

/// A degree to which memory is scarce.
public enum MemoryPressure: Sendable, Hashable {
    /// Memory begins to run short: what is easily made again should go.
    case moderate
    /// Almost no memory is left: everything that can be made again should go.
    case critical

    /// A publisher of the pressure on this process: its control group's (cgroup v2), or the machine's.
    ///
    ///     let trimming = memory.trims(on: MemoryPressure.signals())
    ///
    /// The kernel tells when programs have waited for memory for a tenth of two seconds (PSI); nothing runs until then. Where it refuses to, as in
    /// many containers and on other systems than Linux, the memory in use is looked at in intervals: from 85 % of the limit on the
    /// pressure is moderate, from 95 % on it is critical. It comes again for as long as it lasts, and never ends.
    ///
    /// - Parameters:
    ///   - interval: The time between two looks, where the kernel does not tell.
    ///   - scheduler: The scheduler that looks.
    public static func signals<Context: Scheduler>(
        checkingEvery interval: Context.SchedulerTimeType.Stride = .seconds(2),
        on scheduler: Context = DispatchQueue(label: "ImagePipeline.MemoryPressure")
    ) -> AnyPublisher<MemoryPressure, Never> {
        signals(checkingEvery: interval, on: scheduler, root: "")
    }

    /// - Parameter root: The directory that stands for the root of the file system.
    static func signals<Context: Scheduler>(
        checkingEvery interval: Context.SchedulerTimeType.Stride, on scheduler: Context, root: String
    ) -> AnyPublisher<MemoryPressure, Never> {
        Deferred { () -> AnyPublisher<MemoryPressure, Never> in
            let memory = MachineMemory(root: root)
            if let trigger = PressureTrigger(paths: memory.pressurePaths) {
                return trigger.times.map { memory.pressure ?? .moderate }.eraseToAnyPublisher()
            }
            return Publishers.interval(interval, on: scheduler).compactMap { _ in memory.pressure }
                .eraseToAnyPublisher()
        }.eraseToAnyPublisher()
    }
}

extension MemoryCache {
    /// Evicts values whenever memory gets scarce: half of their cost under moderate pressure, all of them under critical.
    ///
    ///     let trimming = memory.trims(on: MemoryPressure.signals())
    ///
    /// - Parameter pressure: The signal, such as ``MemoryPressure/signals(checkingEvery:on:)`` or one of the program's own.
    /// - Returns: A handle that ends it when it is cancelled or released. It does not keep the cache.
    public func trims(on pressure: some Publisher<MemoryPressure, Never>) -> AnyCancellable {
        pressure.sink { [weak self] pressure in
            guard let self else { return }
            switch pressure {
            case .moderate: trim(toCost: totalCost / 2)
            case .critical: removeAll()
            }
        }
    }
}

extension MachineMemory {
    /// The pressure by the memory that is in use now; nil for none.
    var pressure: MemoryPressure? {
        switch usedShare {
        case 0.95...: .critical
        case 0.85...: .moderate
        default: nil
        }
    }
}
