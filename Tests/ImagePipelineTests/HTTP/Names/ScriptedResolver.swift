import ImagePipeline
import Streams
import Synchronization

/// A resolver that says what a test tells it to, one answer after the other; the last one stays. Names that it has no answer for hang.
final class ScriptedResolver: HostResolver {
    private let answers: Mutex<[String: [String]]>
    private let asked = Mutex<[String]>([])

    init(_ answers: [String: [String]] = [:]) {
        self.answers = Mutex(answers)
    }

    /// The names that were looked up, in their order.
    var lookups: [String] { asked.withLock { $0 } }

    func addresses(of host: String) -> AnyPublisher<[IPAddress], NameError> {
        Deferred { [self] () -> AnyPublisher<[IPAddress], NameError> in
            asked.withLock { $0.append(host) }
            let answer = answers.withLock { answers -> String? in
                guard let list = answers[host], let first = list.first else { return nil }
                if list.count > 1 { answers[host] = Array(list.dropFirst()) }
                return first
            }
            guard let answer else { return Empty(completeImmediately: false).eraseToAnyPublisher() }
            let addresses = answer.split(separator: " ").compactMap { IPAddress(String($0)) }
            if addresses.isEmpty { return Fail(error: NameError(answer)).eraseToAnyPublisher() }
            return Just(addresses).setFailureType(to: NameError.self).eraseToAnyPublisher()
        }.eraseToAnyPublisher()
    }
}
