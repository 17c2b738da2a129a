import TestSupport
import Testing

/// An HTTP/2 server that ends streams and connections as a test says, on a free loopback port; a program in Python.
///
/// Its first connection answers one request, and goes wrong when three further ones have come; later connections answer
/// all requests, unless it goes wrong always.
final class HTTP2Server {
    enum Fault: String, CaseIterable {
        /// Refuses the streams (REFUSED_STREAM), which says that nothing was done.
        case refusing
        /// Says that it has seen to no stream but the first of the three (GOAWAY), answers that one, and leaves the connection open.
        case leaving
        /// Does the same, and closes the connection.
        case closing
        /// Closes each connection as if it had seen to nothing, whatever comes.
        case closingAlways
        /// Ends the streams for an error of the client (PROTOCOL_ERROR).
        case blaming
        /// Ends the streams in mid-body, without a length and without an error (NO_ERROR).
        case cutting
        /// Ends the streams for a fault of its own (INTERNAL_ERROR).
        case failing
    }

    static let isInstalled: Bool = {
        let process = try? ChildProcess(path: "/usr/bin/env", ["python3", "-c", "import ssl"])
        switch consume process {
        case .some(let process): return process.wait() == 0
        case .none: return false
        }
    }()

    private let server: PythonServer

    init(_ fault: Fault, _ certificate: TestAuthority.Certificate) throws {
        server = try PythonServer(Self.program, [certificate.file, certificate.keyFile, fault.rawValue])
    }

    func url(_ path: String) -> String { "https://127.0.0.1:\(server.port)\(path)" }

    private static let program = """
        import os, socket, ssl, struct, sys, threading, time
        certificate, key, fault = sys.argv[1:]
        parent = os.getppid()
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        context.set_alpn_protocols(["h2"])
        listener = socket.socket()
        listener.bind(("127.0.0.1", 0))
        listener.listen(64)
        HEADERS, RST_STREAM, SETTINGS, PING, GOAWAY, DATA, END, ACK = 1, 3, 4, 6, 7, 0, 1, 1
        def frame(kind, flags, stream, body=b""):
            return struct.pack(">I", len(body))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + body
        def answer(stream):
            # 0x88 is ":status: 200" of the static table; 4 ends the head.
            return frame(HEADERS, 4, stream, b"\\x88") + frame(DATA, END, stream, b"abc")
        def misbehave(streams):
            if fault == "refusing": return b"".join(frame(RST_STREAM, 0, s, struct.pack(">I", 7)) for s in streams)
            if fault == "failing": return b"".join(frame(RST_STREAM, 0, s, struct.pack(">I", 2)) for s in streams)
            if fault == "cutting":
                return b"".join(
                    frame(HEADERS, 4, s, b"\\x88") + frame(DATA, 0, s, b"abc") + frame(RST_STREAM, 0, s, bytes(4))
                    for s in streams)
            if fault == "blaming": return b"".join(frame(RST_STREAM, 0, s, struct.pack(">I", 1)) for s in streams)
            if fault == "closingAlways": return frame(GOAWAY, 0, 0, struct.pack(">II", 0, 0))
            return frame(GOAWAY, 0, 0, struct.pack(">II", streams[0], 0)) + answer(streams[0])
        def serve(plain, isFirst):
            connection = context.wrap_socket(plain, server_side=True)
            stream = connection.makefile("rb")
            stream.read(24)
            connection.sendall(frame(SETTINGS, 0, 0))
            seen = []
            while True:
                head = stream.read(9)
                if len(head) < 9: break
                kind, flags, number = head[3], head[4], int.from_bytes(head[5:9], "big") & 0x7fffffff
                body = stream.read(int.from_bytes(head[:3], "big"))
                if kind == SETTINGS and not flags & ACK: connection.sendall(frame(SETTINGS, ACK, 0))
                if kind == PING and not flags & ACK: connection.sendall(frame(PING, ACK, 0, body))
                if kind != HEADERS: continue
                seen.append(number)
                if fault == "closingAlways":
                    connection.sendall(misbehave(seen))
                    break
                if not isFirst or len(seen) == 1:
                    connection.sendall(answer(number))
                elif len(seen) == 4:
                    connection.sendall(misbehave(seen[1:]))
                    if fault == "closing": break
            connection.unwrap()
        def attend(plain, isFirst):
            try: serve(plain, isFirst)
            except OSError: pass
            finally: plain.close()
        def listen():
            isFirst = True
            while True:
                plain, _ = listener.accept()
                threading.Thread(target=attend, args=(plain, isFirst), daemon=True).start()
                isFirst = False
        threading.Thread(target=listen, daemon=True).start()
        print(listener.getsockname()[1])
        while os.getppid() == parent: time.sleep(0.2)
        """
}
