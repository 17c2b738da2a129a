/// A system call that failed, and what the system said.
package struct SystemError: Error, CustomStringConvertible {
    package let call: String
    package let code: Int32

    /// Without a code it takes the calling thread's `errno`: make it right after the call.
    package init(_ call: String, code: Int32 = errno) {
        self.call = call
        self.code = code
    }

    package var description: String {
        "\(call): \(String(cString: strerror(code)))"
    }

    /// Whether the medium, or what this user may use of it, is full.
    package var isOutOfSpace: Bool { code == ENOSPC || code == EDQUOT }
}
