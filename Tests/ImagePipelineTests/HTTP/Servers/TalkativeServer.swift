import TestSupport
import Testing

/// A server with TLS that says more on its first connection than it was asked for, on a free loopback port; a program in Python.
///
/// It answers further requests, and further connections, with the number of the connection.
final class TalkativeServer {
    enum Fault: String, CaseIterable {
        /// Says nothing that it was not asked for.
        case none
        /// Sends another answer behind the first one, in a record of its own.
        case apart
        /// Sends both in one go, so that a record has the end of the one and all of the other.
        case joined
    }

    private let server: PythonServer

    init(_ fault: Fault, _ certificate: TestAuthority.Certificate) throws {
        server = try PythonServer(Self.program, [certificate.file, certificate.keyFile, fault.rawValue])
    }

    var url: String { "https://127.0.0.1:\(server.port)/a.jpg" }

    /// Waits until all that the next answer consists of is with the client's system.
    func waitUntilSent() { _ = server.readLine() }

    private static let program = """
        import os, socket, ssl, sys, threading, time
        certificate, key, fault = sys.argv[1:]
        parent = os.getppid()
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        listener = socket.socket()
        listener.bind(("127.0.0.1", 0))
        listener.listen(64)
        def answer(body):
            return b"HTTP/1.1 200 OK\\r\\nContent-Length: %d\\r\\n\\r\\n" % len(body) + body
        def serve(plain, number):
            connection = context.wrap_socket(plain, server_side=True)
            stream = connection.makefile("rb")
            isFirst = number == 1
            while True:
                line = stream.readline()
                while line not in (b"", b"\\r\\n"): line = stream.readline()
                if not line: break
                # More than a record holds.
                answers = [answer(b"a" * 30000), answer(b"EVIL")]
                if not isFirst or fault == "none": answers = [answer(b"%d" % number)]
                if fault == "joined": answers = [b"".join(answers)]
                for part in answers: connection.sendall(part)
                isFirst = False
                print("sent")
            connection.unwrap()
        def attend(plain, number):
            try: serve(plain, number)
            except OSError: pass
            finally: plain.close()
        def listen():
            number = 0
            while True:
                plain, _ = listener.accept()
                plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                number += 1
                threading.Thread(target=attend, args=(plain, number), daemon=True).start()
        threading.Thread(target=listen, daemon=True).start()
        print(listener.getsockname()[1])
        while os.getppid() == parent: time.sleep(0.2)
        """
}
