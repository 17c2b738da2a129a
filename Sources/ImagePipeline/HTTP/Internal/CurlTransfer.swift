import CCurl
import Synchronization

/// One transfer: the hop under way, and what is left of its limits.
///
/// Unchecked because of its variables, which only the loop's thread touches: libcurl's callbacks run there, and what
/// other threads ask for is posted as a command.
final class CurlTransfer: HTTPTransfer, @unchecked Sendable {
    typealias Instant = ContinuousClock.Instant

    enum Phase {
        case new, lookingUp, waiting, running, over
    }

    let request: HTTPRequest
    let limits: TransferLimits
    private let loop: CurlLoop
    /// Kept alive by what it carries, until it is through with that, however long the transfer is held.
    private var transport: CurlTransport?
    private let isOver = Atomic(false)

    var phase = Phase.new
    private(set) var hop: CurlHop?
    /// The addresses that the hop's peer has, once they are known.
    var addresses: [IPAddress] = []
    /// The place in the queue that the first hop had, and has for all: who follows a redirect does not wait behind all that came later.
    var place: Int?
    /// Follows a live priority while the transfer waits.
    var priorityChanges: (any Sendable)?
    private var headers: [HTTPField]
    /// Those that were followed.
    private var redirects: [HTTPRedirect] = []
    /// How often a hop may be begun again.
    private var repeats = 2

    private var receiver: (any HTTPReceiver)?
    private var isHeadDelivered = false
    private var granted = 0
    private(set) var isPaused = false

    /// The time that the transfer has taken, its present phase apart.
    private var spent = Duration.zero
    private var phaseBegan = ContinuousClock.now
    private var stallBegan: Instant?
    /// The bytes that had come when it was last looked; nil if it has begun since.
    private var lookedAt: Int?
    /// The time after which a transfer that is not connected is looked at. Of several addresses libcurl tries the next one when it is
    /// called again, and where the one before has failed at once (refused by the policy, without a way there) it does not ask for that.
    private static let connectingTime = Duration.milliseconds(50)
    /// The time that the body of a redirect has, which nobody wants: to leave the connection usable is all that it is read for.
    private static let redirectTime = Duration.seconds(1)

    init(_ request: HTTPRequest, receiver: any HTTPReceiver, on loop: CurlLoop, of transport: CurlTransport) {
        self.request = request
        self.receiver = receiver
        self.loop = loop
        self.transport = transport
        limits = request.limits ?? loop.options.limits
        headers = request.headers
    }

    var id: ObjectIdentifier { ObjectIdentifier(self) }

    func request(_ chunks: Int) {
        loop.post(.request(self, chunks))
    }

    func cancel() {
        if !isOver.exchange(true, ordering: .acquiringAndReleasing) { loop.post(.cancel(self)) }
    }

    var isCancelled: Bool { isOver.load(ordering: .acquiring) }

    // Hops.

    func begin() throws(TransportError) {
        try request.check()
        try begin(TransferURL(request.url))
    }

    private func begin(_ url: TransferURL) throws(TransportError) {
        let hop = try CurlHop(url, of: id, limits: limits, options: loop.options)
        hop.onBody = { [unowned self] in take($0) }
        let measureAnew = { [unowned self] in
            restartStall()
            loop.updateDeadline(of: self)
        }
        (hop.onConnect, hop.onRedirect) = (measureAnew, measureAnew)
        self.hop = hop
    }

    func prepare(_ handle: CurlHandle) throws(TransportError) {
        try hop?.prepare(
            handle, for: request, headers: headers, addresses: addresses, options: loop.options)
    }

    /// Goes on to where the hop redirects, if it does.
    ///
    /// - Returns: Whether there is another hop.
    func followRedirect() throws(TransportError) -> Bool {
        guard let old = hop, let location = old.location else { return false }
        let policy = loop.options.redirects
        guard redirects.count < policy.limit else { throw .tooManyRedirects(limit: policy.limit) }
        let url = try old.url.resolving(location)
        if old.url.isEncrypted, !url.isEncrypted, !policy.allowsDowngrade {
            throw .refusedRedirect(to: url.text, reason: "it is not encrypted, and what led there was")
        }
        let status = old.easy.map { Int(ccurl_status($0)) } ?? 0
        redirects.append(HTTPRedirect(status: status, headers: old.head.fields, target: url.text))
        if url.origin != old.url.origin { headers.removeAll { $0.staysAtOrigin } }
        addresses = []
        isPaused = false
        try begin(url)
        return true
    }

    /// Begins the hop again that has ended this way, if it may be.
    ///
    /// - Returns: Whether there is another hop.
    func repeatHop(after code: CURLcode) throws(TransportError) -> Bool {
        guard let old = hop, repeats > 0, old.mayBeRepeated(after: code) else { return false }
        repeats -= 1
        try begin(old.url)
        hop?.needsNewConnection = true
        return true
    }

    /// Lets go of all that the transfer has used; it is over.
    func release() {
        hop = nil
        transport = nil
    }

    // Time.

    /// Time in which the transfer waits for its turn does not count.
    func enter(_ next: Phase, at now: Instant) {
        if phase == .lookingUp || phase == .running { spent += now - phaseBegan }
        phase = next
        phaseBegan = now
        stallBegan = nil
        lookedAt = nil
    }

    /// The time after which the rate is looked at.
    private var stallTime: Duration {
        hop?.location == nil ? limits.stall.time : min(limits.stall.time, Self.redirectTime)
    }

    /// When to look after the transfer if nothing happens; nil while it waits for its turn.
    var deadline: Instant? {
        guard phase == .lookingUp || phase == .running else { return nil }
        let total = phaseBegan + max(.zero, limits.total - spent)
        if phase == .lookingUp { return min(total, phaseBegan + limits.connect) }
        if let hop, !hop.isConnected { return min(total, .now + Self.connectingTime) }
        return isPaused ? total : min(total, stallBegan.map { $0 + stallTime } ?? total)
    }

    /// The limit that is reached, if one is; begins to measure the rate anew.
    func reachedLimit(at now: Instant) -> TransportError.TimeLimit? {
        if now - phaseBegan + spent >= limits.total { return .total }
        if phase == .lookingUp { return now - phaseBegan >= limits.connect ? .lookup : nil }
        guard !isPaused, let began = stallBegan, now - began >= stallTime else { return nil }
        if hop?.location != nil || hop?.recent ?? 0 < limits.stall.bytes { return .stall }
        restartStall()
        return nil
    }

    /// The bytes of head and body since the last call in this phase; nil in the first one.
    func progressSinceLook() -> Int? {
        let total = hop?.total ?? 0
        defer { lookedAt = total }
        return lookedAt.map { total - $0 }
    }

    private func restartStall() {
        hop?.recent = 0
        stallBegan = .now
    }

    // Bytes.

    func grant(_ chunks: Int) {
        let (sum, overflow) = granted.addingReportingOverflow(max(0, chunks))
        granted = overflow ? .max : sum
        guard isPaused, granted > 0, let easy = hop?.easy else { return }
        isPaused = false
        restartStall()
        loop.updateDeadline(of: self)
        // Delivers what was held back before it returns.
        curl_easy_pause(easy, CURLPAUSE_CONT)
    }

    /// - Returns: Whether the bytes were taken; if not, the transfer pauses and they come again.
    private func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if isCancelled { return true }
        guard granted > 0 else {
            isPaused = true
            loop.updateDeadline(of: self)
            return false
        }
        if granted != .max { granted -= 1 }
        deliverHead()
        receiver?.didReceive([UInt8](bytes))
        return true
    }

    private func deliverHead() {
        guard !isHeadDelivered, let hop, let easy = hop.easy else { return }
        isHeadDelivered = true
        receiver?.didReceive(hop.head(of: easy, after: redirects))
    }

    /// Ends a transfer whose last hop has ended.
    func finish(_ error: TransportError?) {
        if error == nil, !isCancelled { deliverHead() }
        end(error)
    }

    /// Tells the receiver that it is over, unless it was cancelled, and lets go of it.
    func end(_ error: TransportError?) {
        let receiver = receiver.take()
        if !isOver.exchange(true, ordering: .acquiringAndReleasing) { receiver?.didEnd(error) }
    }
}
