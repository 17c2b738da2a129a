import Streams

/// A resolver that looks names up as the system is configured to: the hosts file, DNS, whatever else there is.
///
/// On Linux it asks the name servers of `resolv.conf` itself, without a thread for each name, so that names whose servers are silent delay
/// no other one, however many they are: a lookup that hangs is a few hundred bytes until ten seconds are over (or what `resolv.conf` says),
/// and one that is cancelled is nothing at all. Names of this machine and of its link (`localhost`, `.local`), those without a dot that DNS
/// does not have, those whose addresses fit no datagram, and all where `nsswitch.conf` names other services or no server can be reached, are
/// looked up by the system's call on a few threads. On other systems all are.
public final class SystemResolver: HostResolver {
    /// The resolver of transports that have none of their own.
    public static let shared = SystemResolver()

    private let client: DNSClient?
    private let threads: LookupThreads

    /// Creates a resolver.
    ///
    /// - Parameter threads: The number of names that are looked up at once by the system's call, which blocks; further ones wait.
    public convenience init(threads: Int = 16) {
        #if os(Linux)
            self.init(threads: threads, services: NameServices.current)
        #else
            self.init(threads: threads, services: nil)
        #endif
    }

    /// - Parameter services: Returns where names are to be looked up; nil where that is the system's affair.
    init(threads: Int, services: (@Sendable () -> NameServices)?) {
        client = services.map(DNSClient.init)
        self.threads = LookupThreads(limit: threads)
    }

    public func addresses(of host: String) -> AnyPublisher<[IPAddress], NameError> {
        guard let client else { return threads.addresses(of: host) }
        return AnyPublisher<DNSLookups.Outcome, NameError>.create { emitter in
            let key = client.lookUp(host) { outcome in
                emitter.onNext(outcome)
                emitter.onComplete()
            }
            return Disposable { client.cancel(key) }
        }
        .flatMap { [threads] outcome -> AnyPublisher<[IPAddress], NameError> in
            switch outcome {
            case .found(let addresses): Just(addresses).setFailureType(to: NameError.self).eraseToAnyPublisher()
            case .failed(let reason): Fail(error: NameError(reason)).eraseToAnyPublisher()
            case .isElsewhere: threads.addresses(of: host)
            }
        }
        .eraseToAnyPublisher()
    }
}
