import LoopbackServer
import Streams
import StreamsTesting
import TestSupport
import Testing

@testable import ImagePipeline

@Suite(
    "Certificates",
    .enabled(if: Nginx.executable != nil && TestAuthority.openssl != nil, "nginx or openssl is not installed"))
struct CertificateTests {
    private let authority: TestAuthority

    init() throws {
        authority = try TestAuthority()
    }

    private func failure(_ certificate: TestAuthority.Certificate, trusting file: String?) throws -> LoadError? {
        let nginx = try Nginx(serving: [1, 2, 3], certificate: certificate)
        var options = TransportOptions.patient
        options.authorityFile = file
        let recorder = RecordingSubscriber<DataEvent, LoadError>()
        HTTPSource(CurlTransport(options)).events(for: ImageRequest(nginx.url("/photos/a.jpg"))).subscribe(recorder)
        #expect(recorder.waitForCompletion())
        return recorder.completion.flatMap { if case .failure(let error) = $0 { error } else { nil } }
    }

    private func problem(_ error: LoadError?) -> TransportError.CertificateProblem? {
        if case .transport(.certificate(let problem, reason: _))? = error { problem } else { nil }
    }

    @Test("One's own authority is trusted, over HTTP/1.1 and HTTP/2")
    func trusted() throws {
        let error = try failure(authority.certificate(for: "127.0.0.1"), trusting: authority.file)
        if let error { Issue.record("\(error)") }
        let nginx = try Nginx(serving: [1, 2, 3], certificate: authority.certificate(for: "127.0.0.1"))
        var options = TransportOptions.patient
        options.authorityFile = authority.file
        options.version = .http2
        let recorder = RecordingSubscriber<DataEvent, LoadError>()
        HTTPSource(CurlTransport(options)).events(for: ImageRequest(nginx.url("/photos/a.jpg"))).subscribe(recorder)
        #expect(recorder.waitForCompletion())
        #expect(recorder.isFinished)
    }

    @Test("A process that ends takes nothing away from its threads that load what is encrypted")
    func atExit() throws {
        let nginx = try Nginx(serving: [1, 2, 3], certificate: authority.certificate(for: "127.0.0.1"))
        let text = try ChildProcess("load-at-exit", [nginx.url("/photos/a.jpg"), authority.file]).readOutput()
        #expect(text == "3\n3\n")
    }

    @Test("Untrusted, expired and for another host: each is said")
    func refused() throws {
        #expect(problem(try failure(authority.certificate(for: "127.0.0.1"), trusting: nil)) == .untrusted)
        #expect(
            problem(try failure(authority.certificate(for: "127.0.0.1", days: -1), trusting: authority.file))
                == .expired)
        #expect(problem(try failure(authority.certificate(for: "192.0.2.1"), trusting: authority.file)) == .wrongName)
    }

    @Test("An encrypted URL does not lead to one that is not, unless that is allowed")
    func downgrade() throws {
        let plain = try LoopbackServer()
        plain.route("/a.jpg", .resource([1]))
        let nginx = try Nginx(serving: [1], certificate: authority.certificate(for: "127.0.0.1"))
        for isAllowed in [false, true] {
            var options = TransportOptions.patient
            options.authorityFile = authority.file
            options.redirects.allowsDowngrade = isAllowed
            let recorder = RecordingSubscriber<DataEvent, LoadError>()
            let url = nginx.url("/to/127.0.0.1:\(plain.port)")
            HTTPSource(CurlTransport(options)).events(for: ImageRequest(url)).subscribe(recorder)
            #expect(recorder.waitForCompletion())
            #expect(recorder.isFinished == isAllowed)
            #expect(plain.log.requests.count == (isAllowed ? 1 : 0))
        }
    }
}
