import Foundation
import Streams
import StreamsTesting
import Synchronization
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("The choice of a proxy is the transport's, not libcurl's")
struct ProxyChoiceTests {
    /// Whether the environment excepts the name that is loaded from, as it does in `scripts/test`.
    private static let isExcepted =
        getenv("no_proxy").map { String(cString: $0).contains("excepted.localhost") } ?? false

    private func load(_ url: String, _ options: TransportOptions) -> RecordingSubscriber<DataEvent, LoadError> {
        let recorder = RecordingSubscriber<DataEvent, LoadError>()
        HTTPSource(CurlTransport(options)).events(for: ImageRequest(url)).subscribe(recorder)
        #expect(recorder.waitForCompletion())
        return recorder
    }

    private func server(_ body: String) throws -> RawServer {
        try #require(
            RawServer { connection in
                while connection.readHead() != nil {
                    connection.write("\(PeerLoad.ok)Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
                }
            })
    }

    @Test(
        "A proxy that is given is connected to whatever the environment excepts, and never the host itself",
        .enabled(if: isExcepted))
    func givenProxy() throws {
        let (proxy, target) = (try server("proxy"), try server("target"))
        var options = TransportOptions.patient
        options.proxy = .url(proxy.url(""))
        options.resolver = ScriptedResolver()
        options.addresses = AddressPolicy { _ in false }
        _ = load("http://excepted.localhost:\(target.port)/a.jpg", options)
        #expect(proxy.connections == 1)
        #expect(target.connections == 0)
    }

    @Test("No name but that of the proxy is looked up", arguments: ["socks5", "socks5h"])
    func socks(scheme: String) throws {
        let log = Log()
        let proxy = try #require(
            RawServer { connection in
                guard connection.readNext() != nil else { return }
                connection.write([5, 0])
                guard let request = connection.readNext(), request.count > 3 else { return }
                log.kinds.withLock { $0.append(request[3]) }
                connection.write([5, 5, 0, 1, 0, 0, 0, 0, 0, 0])
            })
        var options = TransportOptions.patient
        options.proxy = .url("\(scheme)://127.0.0.1:\(proxy.port)")
        options.resolver = ScriptedResolver()
        _ = load("http://photos.localhost/a.jpg", options)
        // 3 is a name, 1 an address: somebody has looked it up.
        #expect(log.kinds.withLock { $0 } == [3])
    }

    private final class Log: Sendable {
        let kinds = Mutex<[UInt8]>([])
    }
}
