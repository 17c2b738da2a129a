extension Subscribers {
    /// How a stream ended.
    @frozen
    public enum Completion<Failure: Error>: Sendable {
        /// There are no more values.
        case finished
        /// It could not go on.
        case failure(Failure)
    }
}

extension Subscribers.Completion {
    /// The end with its failure transformed.
    @inlinable @inline(__always)
    func mapFailure<NewFailure: Error>(_ transform: (Failure) -> NewFailure) -> Subscribers.Completion<NewFailure> {
        switch self {
        case .finished: .finished
        case .failure(let failure): .failure(transform(failure))
        }
    }
}

extension Subscribers.Completion: Equatable where Failure: Equatable {}
extension Subscribers.Completion: Hashable where Failure: Hashable {}

extension Subscribers.Completion: Encodable where Failure: Encodable {}
extension Subscribers.Completion: Decodable where Failure: Decodable {}
