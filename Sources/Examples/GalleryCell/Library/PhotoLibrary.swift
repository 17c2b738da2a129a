import Dispatch
import ImagePipeline
import Synchronization

/// A photo library with a callback API, as systems have them: it calls back with a degraded image first and the final
/// one later, until the request is cancelled.
public final class PhotoLibrary: Sendable {
    /// Names a request, to cancel it.
    public struct RequestID: Sendable, Hashable {
        let serial: Int
    }

    private struct Requests: Sendable {
        var serial = 0
        var open: [RequestID: @Sendable (Image?) -> Void] = [:]
        var cancelled: [RequestID] = []
    }

    private let requests = Mutex(Requests())

    public init() {}

    /// Starts a request; the callback comes on any thread, any number of times.
    public func requestImage(for asset: String, callback: @escaping @Sendable (Image?) -> Void) -> RequestID {
        requests.withLock { requests in
            requests.serial += 1
            let request = RequestID(serial: requests.serial)
            requests.open[request] = callback
            return request
        }
    }

    /// Ends a request.
    public func cancelImageRequest(_ request: RequestID) {
        let callback = requests.withLock { requests in
            requests.cancelled.append(request)
            return requests.open.removeValue(forKey: request)
        }
        withExtendedLifetime(callback) {}
    }

    /// Delivers an image to every open request, on a thread of the library's, and returns when all were called.
    public func deliver(_ image: Image?) {
        let callbacks = requests.withLock { Array($0.open.values) }
        DispatchQueue.global().sync { for callback in callbacks { callback(image) } }
    }

    /// How many requests are open.
    public var openRequests: Int { requests.withLock { $0.open.count } }
    /// How many have been cancelled.
    public var cancelledRequests: Int { requests.withLock { $0.cancelled.count } }
}
