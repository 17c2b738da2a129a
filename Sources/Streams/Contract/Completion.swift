extension Subscribers {
    /// The end of a stream.
    @frozen
    public enum Completion<Failure: Error>: Sendable {
        /// The stream has delivered all of its values.
        case finished
        /// The stream ended with an error.
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
