import ImagePipeline
import Streams
import StreamsTesting
import Synchronization
import Testing

@Suite("A transport of one's own")
struct OwnTransportTests {
    /// Sends a body's pieces as they are requested, on the thread that requests them.
    private final class Pieces: HTTPTransport, HTTPTransfer {
        private struct State {
            var receiver: (any HTTPReceiver)?
            var rest: ArraySlice<[UInt8]>
            var demand = 0
            var isSending = false
        }

        private let length: Int
        private let state: Mutex<State>

        init(_ pieces: [[UInt8]], announcing length: Int? = nil) {
            self.length = length ?? pieces.reduce(0) { $0 + $1.count }
            state = Mutex(State(rest: pieces[...]))
        }

        func start(_ request: HTTPRequest, receiver: any HTTPReceiver) -> any HTTPTransfer {
            state.withLock { $0.receiver = receiver }
            receiver.didReceive(
                HTTPResponseHead(status: 200, headers: [], contentLength: length, isDelimited: true, redirects: []))
            return self
        }

        func request(_ chunks: Int) {
            let isIdle = state.withLock { state in
                state.demand += chunks
                defer { state.isSending = true }
                return !state.isSending
            }
            guard isIdle else { return }
            while let (receiver, piece) = state.withLock({ state -> ((any HTTPReceiver)?, [UInt8]?)? in
                guard state.demand > 0, let piece = state.rest.popFirst() else {
                    state.isSending = false
                    defer { if state.rest.isEmpty { state.receiver = nil } }
                    return state.rest.isEmpty && state.receiver != nil ? (state.receiver, nil) : nil
                }
                state.demand -= 1
                return (state.receiver, piece)
            }) {
                if let piece { receiver?.didReceive(piece) } else { receiver?.didEnd(nil) }
            }
        }

        func cancel() { state.withLock { $0.receiver = nil } }
    }

    @Test("A piece without a byte is passed over, and another one comes in its place", arguments: [false, true])
    func emptyPieces(isShared: Bool) {
        let transport = Pieces([[], [1, 2], [], [], [3], []])
        let source = HTTPSource(transport)
        let subscriber = RecordingSubscriber<DataEvent, LoadError>(initialDemand: .max(1))
        let request = ImageRequest("http://localhost/a.jpg")
        (isShared ? AnySource(source.coalesced()) : AnySource(source)).events(for: request).subscribe(subscriber)
        for count in 1...3 {
            #expect(subscriber.values.count == count)
            subscriber.request(.max(1))
        }
        let pieces = subscriber.values.dropFirst().map { event -> [UInt8] in
            if case .chunk(let bytes) = event { bytes } else { [] }
        }
        #expect(pieces == [[1, 2], [3]] && subscriber.isFinished && subscriber.violations.isEmpty)
    }

    @Test("A body that is shorter or longer than announced is a failure", arguments: [3, 5])
    func otherLength(announced: Int) {
        let source = HTTPSource(Pieces([[1, 2], [3, 4]], announcing: announced))
        let subscriber = RecordingSubscriber<DataEvent, LoadError>()
        source.events(for: ImageRequest("http://localhost/a.jpg")).subscribe(subscriber)
        switch subscriber.completion {
        case .failure(.transport(.protocolViolation))?: #expect(announced == 3)
        case .failure(.transport(.truncated(received: 4)))?: #expect(announced == 5)
        default: #expect(Bool(false), "\(subscriber.completion as Any)")
        }
    }
}
