import Dispatch
import Streams
import StreamsTesting
import Synchronization
import TestSupport
import Testing

@testable import ImagePipeline

@Suite(
    "Through the tunnel of a proxy",
    .enabled(if: Nginx.executable != nil && TestAuthority.openssl != nil, "nginx or openssl is not installed"))
struct TunnelTests {
    private typealias Recorder = RecordingSubscriber<DataEvent, LoadError>

    @Test(
        "Loads that come while the tunnel of another one is made are served",
        arguments: [TransportOptions.Version.http1, .http2])
    func meanwhile(version: TransportOptions.Version) throws {
        let authority = try TestAuthority()
        let nginx = try Nginx(serving: [1, 2, 3], certificate: authority.certificate(for: "127.0.0.1"))
        let isFirst = Atomic(true)
        let mayOpen = DispatchSemaphore(value: 0)
        // The first tunnel is there when the test says so, the others at once.
        let proxy = try #require(
            Relay(to: Int(nginx.port)) { client in
                guard client.readHead()?.hasPrefix("CONNECT 127.0.0.1:") == true else { return false }
                if isFirst.exchange(false, ordering: .acquiringAndReleasing) {
                    mayOpen.wait()
                }
                return client.write("HTTP/1.1 200 OK\r\n\r\n")
            })
        var options = TransportOptions.patient
        options.authorityFile = authority.file
        options.version = version
        options.proxy = .url("http://127.0.0.1:\(proxy.port)")
        let source = HTTPSource(CurlTransport(options))
        func start() -> Recorder {
            let recorder = Recorder()
            source.events(for: ImageRequest(nginx.url("/photos/a.jpg"))).subscribe(recorder)
            return recorder
        }
        let first = start()
        #expect(comesTrue { !isFirst.load(ordering: .acquiring) })
        let early = [first, start()]
        #expect(comesTrue { early[1].completion != nil })
        let late = (0..<4).map { _ in start() }
        #expect(comesTrue { late.contains { $0.completion != nil } })
        mayOpen.signal()
        for load in early + late {
            #expect(load.waitForCompletion())
            #expect(load.isFinished, "\(load.timeline)")
        }
    }
}
