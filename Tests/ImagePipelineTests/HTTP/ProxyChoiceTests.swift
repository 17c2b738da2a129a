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

    @Test(
        "A load through a proxy that libcurl can make nothing of fails, and reaches no host",
        arguments: ["u:p%0Ax", "u%00:p", "%0d:p", "u:%1f"], ["http", "socks5h"])
    func unusable(credentials: String, scheme: String) throws {
        let (proxy, target) = (try server("proxy"), try server("target"))
        var options = TransportOptions.patient
        options.proxy = .url("\(scheme)://\(credentials)@127.0.0.1:\(proxy.port)")
        let recorder = load(target.url("/a.jpg"), options)
        guard case .failure(.transport(.invalidURL(_, let reason)))? = recorder.completion else {
            Issue.record("\(String(describing: recorder.completion))")
            return
        }
        #expect(reason.contains("control character"))
        #expect(target.connections == 0)
    }

    @Test(
        "A proxy without a port is at the one that libcurl takes for its kind",
        arguments: [
            ("proxy.example", 1_080), ("http://proxy.example", 1_080), ("http://proxy.example:80/", 80),
            ("https://proxy.example", 443), ("socks4://proxy.example", 1_080), ("socks4a://u:p@proxy.example", 1_080),
            ("socks5://127.0.0.1", 1_080), ("socks5h://[::1]", 1_080), ("socks5h://[::1]:9", 9),
        ])
    func ports(text: String, port: Int) throws {
        let proxy = try #require(try HTTPProxy.url(text).proxy(for: TransferURL("http://a.example/")))
        #expect(proxy.port == port)
    }

    @Test("A password and a query stand in no text about a URL that is refused")
    func texts() {
        for url in ["ftp://u:secret@h.example/a?token=secret", "http://u:secret@h.example:port/", "//u:secret@h/"] {
            let errors: [TransportError] = [
                .invalidURL(url, reason: "it is"), .refusedRedirect(to: url, reason: "it is"),
            ]
            for error in errors {
                #expect(!"\(LoadError.transport(error))".contains("secret"))
            }
        }
    }

    private final class Log: Sendable {
        let kinds = Mutex<[UInt8]>([])
    }
}
