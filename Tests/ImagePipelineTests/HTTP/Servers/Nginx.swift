import Files
import TestSupport
import Testing

@testable import ImagePipeline

/// An nginx of a test's own, on a free loopback port, with its access log read through a pipe.
///
/// Every URL below `/photos/` and below `/slow/` is the one body; the slow ones come at 16 KiB a second.
final class Nginx: Sendable {
    /// One request, as the access log tells of it.
    struct Entry {
        let path: String
        let status: Int
        let bodyBytesSent: Int
        let isComplete: Bool
    }

    static let executable: String? = [
        "/usr/sbin/nginx", "/usr/bin/nginx", "/usr/local/bin/nginx", "/opt/homebrew/bin/nginx",
    ]
    .first { (path: String) in access(path, X_OK) == 0 }

    private let directory = TemporaryDirectory()
    let port: UInt16
    private let process: pid_t
    private let log: Int32

    private let scheme: String

    /// - Parameter certificate: The one to show; without it nothing is encrypted.
    init(serving body: [UInt8], certificate: TestAuthority.Certificate? = nil) throws {
        scheme = certificate == nil ? "http" : "https"
        let executable = try #require(Self.executable)
        port = try #require(LoopbackPort.free())
        let path = directory.path
        try FileDescriptor(opening: "\(path)/body", O_WRONLY | O_CREAT).write(body, at: 0)
        try FileDescriptor(opening: "\(path)/nginx.conf", O_WRONLY | O_CREAT).write(
            Array(Self.configuration(path: path, port: port, certificate).utf8), at: 0)

        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        posix_spawn_file_actions_addclose(&actions, ends[0])
        // A Dispatch worker blocks most signals, and nginx would inherit that: it could not be terminated.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        var noSignals = sigset_t()
        sigemptyset(&noSignals)
        posix_spawnattr_setsigmask(&attributes, &noSignals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        let arguments = [executable, "-p", path, "-c", "\(path)/nginx.conf", "-e", "\(path)/error.log"]
        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        var identifier: pid_t = 0
        let status = posix_spawn(&identifier, executable, &actions, &attributes, &words, environ)
        words.forEach { free($0) }
        posix_spawn_file_actions_destroy(&actions)
        posix_spawnattr_destroy(&attributes)
        close(ends[1])
        // Before it is noted: what was not started must not be killed.
        try #require(status == 0, "nginx cannot be started")
        process = identifier
        log = ends[0]
        // It listens, or it has ended.
        while !LoopbackPort.accepts(port) {
            let ended = waitpid(identifier, nil, WNOHANG)
            try #require(ended == 0, "nginx ended")
            sched_yield()
        }
    }

    deinit {
        kill(process, SIGTERM)
        waitpid(process, nil, 0)
        close(log)
        for name in ["client", "proxy", "fastcgi", "uwsgi", "scgi"] { rmdir("\(directory.path)/\(name)") }
    }

    func url(_ path: String) -> String {
        "\(scheme)://127.0.0.1:\(port)\(path)"
    }

    /// The next request of the log, when it has ended.
    func nextEntry() throws -> Entry {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while read(log, &byte, 1) == 1, byte != 10 { line.append(byte) }
        let words = String(decoding: line, as: UTF8.self).split(separator: " ", omittingEmptySubsequences: false)
        try #require(words.count == 4, "the log has ended")
        return Entry(
            path: String(words[0]), status: Int(words[1]) ?? 0, bodyBytesSent: Int(words[2]) ?? 0,
            isComplete: words[3] == "OK")
    }

    private static func configuration(
        path: String, port: UInt16, _ certificate: TestAuthority.Certificate?
    ) -> String {
        let encryption = certificate.map { "ssl_certificate \($0.file); ssl_certificate_key \($0.keyFile);" } ?? ""
        let listen = certificate == nil ? "" : " ssl http2"
        // Without a master the process that was started is the one that serves, with the rights that it has.
        return """
            daemon off; master_process off; pid \(path)/nginx.pid;
            events {}
            http {
                log_format ended '$request_uri $status $body_bytes_sent $request_completion';
                access_log /dev/stdout ended;
                client_body_temp_path \(path)/client; proxy_temp_path \(path)/proxy;
                fastcgi_temp_path \(path)/fastcgi; uwsgi_temp_path \(path)/uwsgi; scgi_temp_path \(path)/scgi;
                server {
                    listen 127.0.0.1:\(port)\(listen);
                    \(encryption)
                    root \(path);
                    location /photos/ { expires 1h; try_files /body =404; }
                    location ~ ^/to/(.*)$ { return 302 http://$1/a.jpg; }
                location /slow/ { limit_rate 16k; try_files /body =404; }
                }
            }
            """
    }
}
