import CCurl
import Files

/// The sockets of the connections that libcurl keeps, by their own ports: it does not say which one a request is about to go out on.
///
/// Only the loop's thread has it.
final class KeptSockets {
    private var descriptors: [Int32: Int32] = [:]

    func add(_ descriptor: Int32, port: Int32) {
        if descriptors.count >= 256 {
            descriptors = descriptors.filter { ccurl_local_port($0.value) == $0.key }
        }
        descriptors[port] = descriptor
    }

    /// Whether something is there to be read, or its end: that is no answer to a request that has not been sent.
    ///
    /// - Parameter isPlain: Without encryption. With it what is there may be a message of the encryption: only the end counts.
    func isStale(port: Int32, isPlain: Bool) -> Bool {
        // One that was closed may be another one's by now.
        guard let descriptor = descriptors[port], ccurl_local_port(descriptor) == port else { return false }
        var byte: UInt8 = 0
        let count = recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
        return count == 0 || count > 0 && isPlain
    }
}
