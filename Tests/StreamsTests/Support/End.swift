import Streams
import StreamsTesting

/// How a stream ended.
enum End: Hashable, Sendable {
    case finished, failed(TestError)
}

extension RecordingSubscriber {
    var end: End? {
        switch completion {
        case nil: nil
        case .finished: .finished
        case .failure(let error): .failed((error as? TestError) ?? .overflow)
        }
    }
}

/// Opens an existential publisher.
func subscribe<P: Publisher, Value: Sendable, Failure: Error>(
    _ publisher: P, _ subscriber: RecordingSubscriber<Value, Failure>
) where P.Output == Value, P.Failure == Failure {
    publisher.subscribe(subscriber)
}
