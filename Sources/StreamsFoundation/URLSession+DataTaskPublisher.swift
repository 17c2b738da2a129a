public import Foundation
public import Streams

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

extension URLSession {
    /// Returns a publisher that loads a URL: one task for each subscriber.
    ///
    ///     session.dataTaskPublisher(for: url).map(\.data).decode(type: Feed.self, decoder: JSONDecoder())
    ///
    /// Demand: the task starts with the first request. Failure: the task's error. Cancellation cancels the task. Thread: the
    /// session's delegate queue.
    ///
    /// - Parameter url: The URL to load.
    public func dataTaskPublisher(for url: URL) -> DataTaskPublisher {
        dataTaskPublisher(for: URLRequest(url: url))
    }

    /// Returns a publisher that loads a request: one task for each subscriber.
    ///
    /// - Parameter request: The request to load.
    public func dataTaskPublisher(for request: URLRequest) -> DataTaskPublisher {
        DataTaskPublisher(request: request, session: self)
    }

    /// A publisher that loads a request.
    public struct DataTaskPublisher: Publisher {
        public typealias Output = (data: Data, response: URLResponse)
        public typealias Failure = URLError

        /// The request to load.
        public let request: URLRequest
        /// The session that loads it.
        public let session: URLSession

        /// Creates a publisher that loads a request.
        ///
        /// - Parameters:
        ///   - request: The request to load.
        ///   - session: The session that loads it.
        public init(request: URLRequest, session: URLSession) {
            self.request = request
            self.session = session
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == URLError {
            let (request, session) = (request, session)
            AnyPublisher<Output, URLError>.create { emitter in
                let task = session.dataTask(with: request) { data, response, error in
                    if let data, let response, error == nil {
                        emitter.send((data, response))
                        emitter.send(completion: .finished)
                    } else {
                        emitter.send(completion: .failure(error as? URLError ?? URLError(.unknown)))
                    }
                }
                let start = FirstRequest { task.resume() }
                emitter.onRequest { _ in start.request() }
                return Disposable { task.cancel() }
            }.receive(subscriber: subscriber)
        }
    }
}
