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

// Combine's format: {"success":true}, {"success":false,"error":…}.
private enum CompletionKeys: String, CodingKey {
    case success, error
}

extension Subscribers.Completion: Encodable where Failure: Encodable {
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CompletionKeys.self)
        switch self {
        case .finished: try container.encode(true, forKey: .success)
        case .failure(let failure):
            try container.encode(false, forKey: .success)
            try container.encode(failure, forKey: .error)
        }
    }
}

extension Subscribers.Completion: Decodable where Failure: Decodable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CompletionKeys.self)
        let isFinished = try container.decode(Bool.self, forKey: .success)
        self = isFinished ? .finished : .failure(try container.decode(Failure.self, forKey: .error))
    }
}
