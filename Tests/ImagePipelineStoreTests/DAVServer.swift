import Files
import TestSupport
import Testing

/// An nginx that takes `PUT` and `DELETE`, on a free port.
final class DAVServer: StoreServer {
    static let executable: String? = [
        "/usr/sbin/nginx", "/usr/bin/nginx", "/usr/local/bin/nginx", "/opt/homebrew/bin/nginx",
    ]
    .first { (path: String) in access(path, X_OK) == 0 }

    let port: Int
    let directory = TemporaryDirectory()
    private let process: ServerProcess

    init(port chosen: Int? = nil) throws {
        let executable = try #require(Self.executable)
        let path = directory.path
        (process, port) = try ServerProcess.listening(on: chosen) { port in
            let file = "\(path)/\(port).conf"
            try FileDescriptor(opening: file, O_WRONLY | O_CREAT).write(
                Array(Self.configuration(path, port).utf8), at: 0)
            return try ServerProcess(path: executable, ["-p", path, "-c", file, "-e", "\(path)/error.log"])
        }
    }

    private static func configuration(_ path: String, _ port: Int) -> String {
        """
        daemon off; master_process off; pid \(path)/nginx.pid;
        events {}
        http {
            access_log off;
            client_body_temp_path \(path)/client; proxy_temp_path \(path)/proxy;
            fastcgi_temp_path \(path)/fastcgi; uwsgi_temp_path \(path)/uwsgi; scgi_temp_path \(path)/scgi;
            server {
                listen 127.0.0.1:\(port);
                client_max_body_size 64m;
                location / { root \(path)/objects; dav_methods PUT DELETE; create_full_put_path on; }
            }
        }
        """
    }

    var url: String { "http://127.0.0.1:\(port)/images" }

    func pause() { process.pause() }
    func resume() { process.resume() }
}
