import Files
import TestSupport
import Testing

/// A certificate authority of a test's own, made by the `openssl` program.
final class TestAuthority {
    /// A certificate and its key, as files.
    struct Certificate {
        let file: String
        let keyFile: String
    }

    static let openssl: String? = ["/usr/bin/openssl", "/usr/local/bin/openssl", "/opt/homebrew/bin/openssl"]
        .first { (path: String) in access(path, X_OK) == 0 }

    private let directory = TemporaryDirectory()
    private let openssl: String

    init() throws {
        openssl = try #require(Self.openssl)
        try run(
            ["req", "-x509", "-days", "2", "-subj", "/CN=Test authority", "-out", path("ca.pem")] + key("ca.key"))
    }

    /// The certificate of the authority, for those who trust it.
    var file: String { path("ca.pem") }

    /// Makes a certificate for an address.
    func certificate(for address: String, days: Int = 2) throws -> Certificate {
        let name = "\(address)\(days)"
        try FileDescriptor(opening: path("\(name).ext"), O_WRONLY | O_CREAT).write(
            Array("subjectAltName=IP:\(address)\n".utf8), at: 0)
        try run(["req", "-subj", "/CN=\(address)", "-out", path("\(name).csr")] + key("\(name).key"))
        try run([
            "x509", "-req", "-in", path("\(name).csr"), "-CA", file, "-CAkey", path("ca.key"), "-CAcreateserial",
            "-out", path("\(name).pem"), "-days", "\(days)", "-extfile", path("\(name).ext"),
        ])
        return Certificate(file: path("\(name).pem"), keyFile: path("\(name).key"))
    }

    private func key(_ name: String) -> [String] {
        ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", path(name)]
    }

    private func run(_ arguments: [String]) throws {
        _ = try ChildProcess(path: openssl, arguments).readOutput()
    }

    private func path(_ name: String) -> String { "\(directory.path)/\(name)" }
}
