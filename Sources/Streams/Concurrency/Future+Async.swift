extension Future {
    /// Creates a future from asynchronous work, which starts at once.
    ///
    ///     Future { try await load() }   ---1|
    ///
    /// A subscription keeps the task running, the future itself needn't be kept: `flatMap { id in Future { await load(id) } }`
    /// delivers. Once the future has been released and the last subscription has been cancelled, the task is cancelled.
    ///
    /// - Parameters:
    ///   - priority: The task's.
    ///   - operation: The work.
    public convenience init(
        priority: TaskPriority? = nil, operation: @escaping @Sendable () async throws(Failure) -> Output
    ) {
        self.init(cancellable: { promise in
            let task = Task(priority: priority) {
                do throws(Failure) {
                    promise(.success(try await operation()))
                } catch {
                    promise(.failure(error))
                }
            }
            return Disposable { task.cancel() }
        })
    }

    /// The result, once it has arrived.
    ///
    /// Throws the future's failure, and `CancellationError` when the task that waits is cancelled: that is why it throws
    /// where the future cannot fail, too.
    public var value: Output {
        get async throws { try await firstValue }
    }
}

extension Publisher {
    /// The last value; the task's cancellation cancels the upstream.
    ///
    /// Throws the publisher's failure, `NoValue` when it finishes without a value, and `CancellationError`.
    public var lastValue: Output {
        get async throws { try await last().firstValue }
    }

    /// The array of all values, once the publisher has finished; the task's cancellation cancels the upstream.
    ///
    /// Throws the publisher's failure and `CancellationError`.
    public var collected: [Output] {
        get async throws { try await collect().firstValue }
    }
}
