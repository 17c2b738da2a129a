import Streams
import StreamsTesting
import Synchronization

/// `share`: the last subscriber cancels while another subscribes, and the upstream may be in the middle of a value.
enum Shares {
    /// Lets each of its connections be sent to by itself, and knows how many there are at once.
    private final class Source: Publisher {
        typealias Output = Int
        typealias Failure = Never

        private struct State: Sendable {
            var subscribers: [AnySubscriber<Int, Never>] = []
            var alive = 0
            var most = 0
        }

        private let state = Mutex(State())

        var connections: Int { state.withLock { $0.subscribers.count } }
        var most: Int { state.withLock { $0.most } }

        func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
            state.withLock { state in
                state.subscribers.append(AnySubscriber(subscriber))
                state.alive += 1
                state.most = Swift.max(state.most, state.alive)
            }
            subscriber.receive(subscription: Connection(source: self))
        }

        /// Sends a connection its own number.
        func send(to connection: Int) {
            let subscriber = state.withLock { state in
                connection < state.subscribers.count ? state.subscribers[connection] : nil
            }
            _ = subscriber?.receive(connection)
        }

        private final class Connection: Subscription {
            private let source: Source

            init(source: Source) {
                self.source = source
            }

            func request(_ demand: Subscribers.Demand) {}

            /// Takes a while, as disposables do: it is over only when another connection could have begun.
            func cancel() {
                for _ in 0..<20 where source.connections > 1 { break }
                source.state.withLock { $0.alive -= 1 }
            }
        }
    }

    /// There is never more than one connection, the new subscriber gets nothing of the old one, and what its own sends.
    static func generations(_ random: inout SeededGenerator) -> Bout {
        let source = Source()
        let shared = source.share()
        let first = RecordingSubscriber<Int, Never>()
        let second = RecordingSubscriber<Int, Never>()
        shared.subscribe(first)
        let values = Int.random(in: 0...20, using: &random)
        let early = Int.random(in: 0...values, using: &random)
        let isSenderAlone = Bool.random(using: &random)
        return Bout(
            left: {
                for _ in 0..<early { source.send(to: 0) }
                if !isSenderAlone { first.cancel() }
                for _ in early..<values { source.send(to: 0) }
            },
            right: {
                if isSenderAlone { first.cancel() }
                shared.subscribe(second)
            },
            fault: {
                if source.most > 1 { return "\(source.most) connections at once" }
                let newest = source.connections - 1
                source.send(to: newest)
                if second.values.last != newest { return "the new subscriber is not connected" }
                return second.values.contains { $0 != newest } ? "a value of the old connection" : nil
            })
    }
}
