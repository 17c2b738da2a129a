extension Future {
    /// A future of asynchronous work, which starts at once.
    ///
    ///     Future { try await load() }   ---1|
    ///
    /// The task is cancelled when nobody can get its result any more: when the future and every subscription to it have
    /// been let go of.
    ///
    /// - Parameters:
    ///   - priority: The task's.
    ///   - operation: The work.
    public convenience init(
        priority: TaskPriority? = nil, operation: @escaping @Sendable () async throws(Failure) -> Output
    ) {
        let task = SerialDisposable()
        self.init(cancelling: task) { promise in
            let running = Task(priority: priority) {
                do throws(Failure) {
                    promise(.success(try await operation()))
                } catch {
                    promise(.failure(error))
                }
            }
            task.set(Disposable { running.cancel() })
        }
    }

    /// The result, once it is there.
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

    /// All values, when the publisher has finished; the task's cancellation cancels the upstream.
    ///
    /// Throws the publisher's failure and `CancellationError`.
    public var collected: [Output] {
        get async throws { try await collect().firstValue }
    }
}
