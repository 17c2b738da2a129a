import OpenCombine

/// OpenCombine's subject for several threads at once.
///
/// Unchecked because OpenCombine declares none of its types Sendable. Of this one all that is mutable is behind its own lock, and
/// what the threads send and the closures behind it are Sendable.
struct SharedPeerSubject: @unchecked Sendable {
    let subject = OpenCombine.PassthroughSubject<Int, Never>()
}
