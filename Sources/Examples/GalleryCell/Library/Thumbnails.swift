import Dispatch
import ImagePipeline
import Streams
import Synchronization

extension PhotoLibrary {
    /// A thumbnail as a stream: the degraded image, then the final one. Cancelling it cancels the request.
    public func thumbnail(for asset: String) -> AnyPublisher<Image?, any Error> {
        AnyPublisher<Image?, any Error>.create { observer in
            let calls = CallCount()
            let request = self.requestImage(for: asset) { image in
                observer.onNext(image)
                if calls.next() == 2 { observer.onComplete() }
            }
            return Disposable { self.cancelImageRequest(request) }
        }
        .subscribe(on: DispatchQueue.global())
        .eraseToAnyPublisher()
    }
}

/// How often the library has called back: the second image is the final one.
private final class CallCount: Sendable {
    private let count = Atomic(0)

    func next() -> Int {
        count.add(1, ordering: .relaxed).newValue
    }
}
