import ChildProcess
import Glibc

/// An nginx on loopback with a port in the clear and one that is encrypted and speaks HTTP/2.
struct Server {
    let authorityFile: String
    private let process: pid_t
    private let ports: (plain: UInt16, encrypted: UInt16)

    /// Starts it.
    ///
    /// - Parameters:
    ///   - scratch: A folder for its files, which is made.
    ///   - bodies: The lengths of bodies, each at the path of its number.
    init(in scratch: String, bodies: [Int]) throws {
        _ = try ChildProcess(["mkdir", "-p", scratch]).output()
        let folder = try ChildProcess(["realpath", scratch]).output().filter { $0 != "\n" }
        authorityFile = "\(folder)/certificate.pem"
        _ = try ChildProcess([
            "openssl", "ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", "\(folder)/key.pem",
        ]).output()
        _ = try ChildProcess([
            "openssl", "req", "-x509", "-days", "2", "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1",
            "-key", "\(folder)/key.pem", "-out", authorityFile,
        ]).output()
        for length in bodies {
            // Bytes that nobody can compress.
            var state = UInt64(length)
            try Self.write(
                (0..<length).map { _ in
                    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                    return UInt8(truncatingIfNeeded: state >> 33)
                }, to: "\(folder)/\(length)")
        }
        ports = (try Self.freePort(), try Self.freePort())
        try Self.write(Array(Self.configuration(folder, ports).utf8), to: "\(folder)/nginx.conf")
        process = try Self.start(["nginx", "-p", folder, "-c", "\(folder)/nginx.conf", "-e", "\(folder)/error.log"])
        while (try? acceptedConnections()) == nil {
            guard waitpid(process, nil, WNOHANG) == 0 else { throw ChildProcess.Failure(description: "nginx ended") }
            usleep(10_000)
        }
    }

    func stop() {
        kill(process, SIGTERM)
        waitpid(process, nil, 0)
    }

    func base(_ way: Plan.Way) -> String {
        way == .plain ? "http://127.0.0.1:\(ports.plain)" : "https://127.0.0.1:\(ports.encrypted)"
    }

    /// The connections that it has ever accepted, the one of this question included.
    func acceptedConnections() throws -> Int {
        let text = try ChildProcess(["curl", "-sS", "--noproxy", "*", "\(base(.plain))/status"]).output()
        // "server accepts handled requests", and the numbers in the line behind it.
        let numbers = text.split(separator: "\n").dropFirst(2).first?.split(separator: " ").compactMap { Int($0) }
        guard let accepted = numbers?.first else { throw ChildProcess.Failure(description: "nginx said \(text)") }
        return accepted
    }

    private static func configuration(_ folder: String, _ ports: (plain: UInt16, encrypted: UInt16)) -> String {
        """
        daemon off; master_process off; pid \(folder)/nginx.pid;
        events { worker_connections 512; }
        http {
            access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000;
            client_body_temp_path \(folder)/client; proxy_temp_path \(folder)/proxy;
            fastcgi_temp_path \(folder)/fastcgi; uwsgi_temp_path \(folder)/uwsgi; scgi_temp_path \(folder)/scgi;
            server {
                listen 127.0.0.1:\(ports.plain);
                listen 127.0.0.1:\(ports.encrypted) ssl http2;
                ssl_certificate \(folder)/certificate.pem; ssl_certificate_key \(folder)/key.pem;
                root \(folder);
                location /status { stub_status; }
            }
        }

        """
    }

    private static func write(_ bytes: [UInt8], to path: String) throws {
        guard let file = fopen(path, "w") else { throw ChildProcess.Failure(description: "cannot write \(path)") }
        defer { fclose(file) }
        guard fwrite(bytes, 1, bytes.count, file) == bytes.count else {
            throw ChildProcess.Failure(description: "cannot write \(path)")
        }
    }

    private static func start(_ words: [String]) throws -> pid_t {
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { arguments.forEach { free($0) } }
        var identifier: pid_t = 0
        let path = "\(getenv("PATH").map { String(cString: $0) } ?? ""):/usr/sbin:/sbin"
        setenv("PATH", path, 1)
        guard posix_spawnp(&identifier, words[0], nil, nil, &arguments, environ) == 0 else {
            throw ChildProcess.Failure(description: "\(words[0]) cannot be started")
        }
        return identifier
    }

    private static func freePort() throws -> UInt16 {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(listener) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 ? getsockname(listener, $0, &length) : -1
            }
        }
        guard status == 0 else { throw ChildProcess.Failure(description: "no port is free") }
        return UInt16(bigEndian: address.sin_port)
    }
}
