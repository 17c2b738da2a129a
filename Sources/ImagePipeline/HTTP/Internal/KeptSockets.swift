import CCurl
import Files

/// The sockets of the connections that libcurl keeps, by their own ports: it does not say which one a request is about to go out on.
///
/// Only the loop's thread has it.
final class KeptSockets {
    struct Kept {
        let descriptor: Int32
        /// Whether its answers come one after another. With HTTP/2 they say which request they belong to, and a server may say something
        /// at any time.
        var isSequential = false

        /// Whether something is there to be read, or its end: that is no answer to a request that has not been sent.
        ///
        /// An encrypted connection may have a message of the encryption to be read, such as a ticket that comes late. Nobody can tell it from
        /// an answer without reading it; such a connection costs another one.
        ///
        /// - Parameter easy: The handle of the transfer whose request is to go out.
        func isStale(_ easy: UnsafeMutableRawPointer) -> Bool {
            var byte: UInt8 = 0
            let count = recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
            return count == 0 || isSequential && (count > 0 || ccurl_has_decrypted(easy) != 0)
        }

        /// Whether a request that has been sent has not reached the peer as a whole: what comes meanwhile is no answer to it.
        var isSending: Bool { isSequential && ccurl_unacknowledged(descriptor) > 0 }
    }

    private var sockets: [Int32: Kept] = [:]

    func add(_ descriptor: Int32, port: Int32) {
        if sockets.count >= 256 {
            sockets = sockets.filter { ccurl_local_port($0.value.descriptor) == $0.key }
        }
        sockets[port] = Kept(descriptor: descriptor)
    }

    /// Notes that an answer of HTTP/1 has come on it.
    func setSequential(port: Int32) {
        sockets[port]?.isSequential = true
    }

    /// The one of a connection that a request is about to go out on, which stays open while that is under way.
    ///
    /// One that was closed may be another one's by now.
    func socket(port: Int32) -> Kept? {
        sockets[port].flatMap { ccurl_local_port($0.descriptor) == port ? $0 : nil }
    }
}
