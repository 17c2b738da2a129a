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
    /// Throws the future's failure, and `CancellationError` when the task that waits is cancelled.
    public var value: Output {
        get async throws { try await firstValue }
    }
}

extension Future where Failure == Never {
    /// The result, once it has arrived, however long that takes: a task that is cancelled goes on waiting. To stop waiting
    /// then, use `try await firstValue`.
    public var value: Output {
        get async {
            await withUnsafeContinuation { receive(subscriber: ResumingSubscriber(continuation: $0)) }
        }
    }
}

/// Hands a future's only value to a task. Unsafe is only that a future may keep its task waiting for ever, by dropping its promise.
private struct ResumingSubscriber<Input: Sendable>: Subscriber {
    typealias Failure = Never

    let continuation: UnsafeContinuation<Input, Never>

    func receive(subscription: any Subscription) {
        subscription.request(.max(1))
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        continuation.resume(returning: input)
        return .none
    }

    func receive(completion: Subscribers.Completion<Never>) {}
}

extension Publisher {
    /// The last value; the task's cancellation cancels the upstream.
    ///
    /// Throws the publisher's failure, `NoValue` when it finishes without a value, and `CancellationError`.
    @_disfavoredOverload
    public var lastValue: Output {
        get async throws { try await last().firstValue }
    }

    /// The array of all values, once the publisher has finished; the task's cancellation cancels the upstream.
    ///
    /// Throws the publisher's failure and `CancellationError`.
    @_disfavoredOverload
    public var collected: [Output] {
        get async throws { try await collect().firstValue }
    }
}
