import Streams
import StreamsTesting
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("The time until a connection stands")
struct ConnectTimeTests {
    private func error(_ recorder: RecordingSubscriber<DataEvent, LoadError>) -> TransportError? {
        if case .failure(.transport(let error))? = recorder.completion { error } else { nil }
    }

    @Test(
        "A server that does not agree on encryption in time is an error that says so, however little time that is",
        arguments: [Duration.milliseconds(150), .microseconds(1), .zero, .seconds(-1)])
    func silentEncryption(time: Duration) throws {
        let server = try #require(RawServer { $0.waitForClose() })
        var options = TransportOptions.patient
        options.proxy = .none
        options.limits.connect = time
        options.limits.total = .seconds(20)
        let recorder = PeerLoad.run(server.url().replacing("http://", with: "https://"), options)
        #expect(error(recorder) == .timedOut(.connect))
    }

    @Test(
        "A time beyond all numbers is none",
        arguments: [Duration.seconds(Int64.max), .seconds(Int64.max / 1_000), .seconds(1 << 40)])
    func endless(time: Duration) throws {
        let server = try #require(
            RawServer { connection in
                connection.readHead()
                connection.write("\(PeerLoad.ok)Content-Length: 1\r\n\r\na")
            })
        var options = TransportOptions.patient
        options.proxy = .none
        options.limits.connect = time
        #expect(PeerLoad.run(server.url(), options).isFinished)
    }
}
