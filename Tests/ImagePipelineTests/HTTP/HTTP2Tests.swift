import Streams
import StreamsTesting
import Testing

@testable import ImagePipeline

@Suite(
    "HTTP/2",
    .enabled(if: HTTP2Server.isInstalled && TestAuthority.openssl != nil, "python3 or openssl is not installed"))
struct HTTP2Tests {
    private typealias Recorder = RecordingSubscriber<DataEvent, LoadError>

    private let authority: TestAuthority

    init() throws {
        authority = try TestAuthority()
    }

    /// Loads one image, so that there is a connection, and then three at once.
    private func load(_ fault: HTTP2Server.Fault) throws -> [Recorder] {
        let server = try HTTP2Server(fault, authority.certificate(for: "127.0.0.1"))
        var options = TransportOptions.patient
        options.authorityFile = authority.file
        options.version = .http2
        options.proxy = .none
        let source = HTTPSource(CurlTransport(options))
        func start(_ number: Int) -> Recorder {
            let recorder = Recorder()
            source.events(for: ImageRequest(server.url("/\(number).jpg"))).subscribe(recorder)
            return recorder
        }
        let first = start(0)
        #expect(first.waitForCompletion())
        let others = (1...3).map(start)
        for recorder in others { #expect(recorder.waitForCompletion()) }
        return [first] + others
    }

    private func mayBeRepeated(_ recorder: Recorder) -> Bool {
        if case .failure(let error)? = recorder.completion { error.isWorthRetrying } else { false }
    }

    private func error(_ recorder: Recorder) -> TransportError? {
        if case .failure(.transport(let error))? = recorder.completion { error } else { nil }
    }

    @Test(
        "What a server has not seen to, since it refuses streams or leaves, is asked for again on another connection",
        arguments: [HTTP2Server.Fault.refusing, .leaving, .closing])
    func repeated(fault: HTTP2Server.Fault) throws {
        for recorder in try load(fault) {
            #expect(recorder.isFinished, "\(String(describing: recorder.completion))")
            #expect(recorder.violations.isEmpty)
        }
    }

    @Test("A server that never sees to anything is asked a few times, and then it is an error")
    func endless() throws {
        for recorder in try load(.closingAlways) {
            guard case .connectionLost? = error(recorder) else {
                Issue.record("\(String(describing: recorder.completion))")
                continue
            }
        }
    }

    @Test("A body without a length whose stream is reset without an error is not taken for whole")
    func cut() throws {
        for recorder in try load(.cutting).dropFirst() {
            if case .response(let response)? = recorder.values.first, recorder.isFinished {
                #expect(response.head?.isDelimited == false)
            } else {
                #expect(mayBeRepeated(recorder), "\(String(describing: recorder.completion))")
            }
        }
    }

    @Test("A stream that the server ends for a fault of its own may be asked for again")
    func failing() throws {
        for recorder in try load(.failing).dropFirst() {
            #expect(mayBeRepeated(recorder), "\(String(describing: recorder.completion))")
        }
    }

    @Test("A stream that the server ends for an error is none to be repeated")
    func blamed() throws {
        let loads = try load(.blaming)
        #expect(loads[0].isFinished)
        for recorder in loads.dropFirst() {
            guard case .protocolViolation? = error(recorder) else {
                Issue.record("\(String(describing: recorder.completion))")
                continue
            }
        }
    }
}
