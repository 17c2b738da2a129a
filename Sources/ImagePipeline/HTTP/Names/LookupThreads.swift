import Files
import Streams
import Synchronization

/// Looks names up by the system's call, which blocks, for half a minute if servers are silent: each lookup has a thread of its own, which
/// ends with it. One that nobody waits for any more goes on until the system is through with it.
final class LookupThreads: Sendable {
    private typealias Lookup = @Sendable () -> Void

    private struct State {
        var threads = 0
        var waiting: [Int: Lookup] = [:]
        var order = AdmissionQueue<Int, Never>(limit: .max)
        var next = 0
    }

    private let limit: Int
    private let state = Mutex(State())

    /// - Parameter limit: The number of names that are looked up at once; further ones wait.
    init(limit: Int) {
        self.limit = max(1, limit)
    }

    func addresses(of host: String) -> AnyPublisher<[IPAddress], NameError> {
        AnyPublisher.create { [self] emitter in
            let id = enqueue {
                if emitter.isCancelled { return }
                switch Self.lookUp(host) {
                case .success(let addresses):
                    emitter.onNext(addresses)
                    emitter.onComplete()
                case .failure(let error): emitter.onError(error)
                }
            }
            return Disposable { [self] in
                let lookup = state.withLock { state in
                    state.order.remove(id)
                    return state.waiting.removeValue(forKey: id)
                }
                withExtendedLifetime(lookup) {}
            }
        }
    }

    private func enqueue(_ lookup: @escaping Lookup) -> Int {
        let (id, needsThread) = state.withLock { state in
            let id = state.next
            state.next += 1
            state.waiting[id] = lookup
            state.order.append(id, to: nil)
            let needsThread = state.threads < limit
            if needsThread { state.threads += 1 }
            return (id, needsThread)
        }
        if needsThread, !DetachedThread.start("NameLookup", stackSize: 512 << 10, { [self] in work() }) {
            // No thread to be had: who waits is served by those that there are, or fails in its time.
            state.withLock { $0.threads -= 1 }
        }
        return id
    }

    private func work() {
        while let lookup = nextLookup() { lookup() }
    }

    private func nextLookup() -> Lookup? {
        state.withLock { state in
            guard let id = state.order.admit(), let lookup = state.waiting.removeValue(forKey: id) else {
                state.threads -= 1
                return nil
            }
            state.order.remove(id)
            return lookup
        }
    }

    private static func lookUp(_ host: String) -> Result<[IPAddress], NameError> {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = streamSocket
        var list: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(host, nil, &hints, &list)
        defer { if let list { freeaddrinfo(list) } }
        guard status == 0 else {
            let reason = status == EAI_SYSTEM ? String(cString: strerror(errno)) : String(cString: gai_strerror(status))
            return .failure(NameError(reason))
        }
        var addresses: [IPAddress] = []
        var entry = list
        while let info = entry?.pointee {
            if let socketAddress = info.ai_addr, let address = IPAddress(socketAddress), !addresses.contains(address) {
                addresses.append(address)
            }
            entry = info.ai_next
        }
        return addresses.isEmpty ? .failure(NameError("it has no address")) : .success(addresses)
    }
}
