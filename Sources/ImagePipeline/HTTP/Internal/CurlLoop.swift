import CCurl
import CThread
import Files
import Streams
import Synchronization

/// The thread that drives libcurl: takes commands, looks names up, lets in who may begin, lets libcurl work, tells of what has ended.
///
/// Unchecked because of `multi` and of what stands below it: all use of them is on the loop's thread, except `curl_multi_wakeup`,
/// which libcurl documents as the one call that any thread may make.
final class CurlLoop: @unchecked Sendable {
    enum Command: Sendable {
        case start(CurlTransfer)
        case request(CurlTransfer, Int)
        case cancel(CurlTransfer)
        case prioritise(CurlTransfer)
        case found(String, Result<[IPAddress], NameError>)
        case stop
    }

    let options: TransportOptions
    private let multi: UnsafeMutableRawPointer?
    private let commands = Mutex<[Command]>([])
    /// Whether there is a thread; without one every transfer fails at once.
    private let isRunning = Atomic(false)
    /// The thread, once it runs.
    private let thread = Atomic<UInt>(0)

    // The loop's own.
    var transfers: [ObjectIdentifier: CurlTransfer] = [:]
    var queue: AdmissionQueue<ObjectIdentifier, String>
    private var deadlines = IndexedHeap<ObjectIdentifier, ContinuousClock.Instant>()
    var names: NameTable<ObjectIdentifier>
    var lookups: [String: AnyCancellable] = [:]
    /// Handles of transfers that have ended well, for the next ones; each keeps a buffer.
    private var idleHandles: [CurlHandle] = []
    private static let keptHandles = 8
    private let sockets = KeptSockets()
    private var look = ProgressLook()

    init(_ options: TransportOptions) {
        self.options = options
        queue = AdmissionQueue(limit: options.transfers, perGroup: options.transfersPerHost, resting: options.transfers)
        names = NameTable(lifetime: options.nameLifetime)
        multi = ccurl_initialize() == CURLE_OK ? curl_multi_init() : nil
        guard let multi else { return }
        _ = ccurl_keep_connections(multi, max(1, options.keptConnections))
        isRunning.store(DetachedThread.start("HTTPTransport") { [self] in run() }, ordering: .releasing)
    }

    deinit {
        if let multi { curl_multi_cleanup(multi) }
    }

    /// Leaves a command for the thread.
    func post(_ command: Command) {
        if let multi, isRunning.load(ordering: .acquiring) {
            let isFirst = commands.withLock { commands in
                commands.append(command)
                return commands.count == 1
            }
            // Whoever left the first has woken it, and it takes all. What it leaves itself it looks for before it sleeps.
            if isFirst, thread.load(ordering: .relaxed) != current_thread() { curl_multi_wakeup(multi) }
        } else if case .start(let transfer) = command {
            transfer.end(.failed("the transport has no thread"))
        }
    }

    private func run() {
        guard let multi else { return }
        thread.store(current_thread(), ordering: .relaxed)
        while turn(multi) {
            // It fails when the machine is short of something: to ask again at once would keep a processor busy.
            if commands.withLock({ $0.isEmpty }), curl_multi_poll(multi, nil, 0, pollTime(), nil) != CURLM_OK {
                usleep(10_000)
            }
        }
        lookups.removeAll()
    }

    /// Does all there is to do. What is released on the way, and so leaves a command itself, is released by the end of it.
    ///
    /// - Returns: Whether there may be more to do later.
    private func turn(_ multi: UnsafeMutableRawPointer) -> Bool {
        guard carryOutCommands() else { return false }
        admit(multi)
        var active: Int32 = 0
        curl_multi_perform(multi, &active)
        takeMessages(multi)
        endOverdue()
        letRest()
        // A place that is free now goes to the first of all who have come by now, also while libcurl was working.
        guard carryOutCommands() else { return false }
        admit(multi)
        return true
    }

    /// - Returns: Whether there may be more to do later.
    private func carryOutCommands() -> Bool {
        let commands = commands.withLock { commands in
            defer { commands = [] }
            return commands
        }
        for command in commands {
            // Every transfer holds the transport, which posts this when nobody does: there is none left.
            if case .stop = command { return false }
            carryOut(command)
        }
        return true
    }

    private func admit(_ multi: UnsafeMutableRawPointer) {
        while let id = queue.admit() {
            guard let transfer = transfers[id] else {
                queue.remove(id)
                continue
            }
            transfer.enter(.running, at: .now)
            do throws(TransportError) {
                let idle = idleHandles.popLast()
                let handle = if let idle { idle } else { try CurlHandle(options) }
                transfer.hop?.kept = sockets
                try transfer.prepare(handle)
                let status = curl_multi_add_handle(multi, handle.easy)
                guard status == CURLM_OK else { throw .failed(String(cString: curl_multi_strerror(status))) }
                updateDeadline(of: transfer)
            } catch {
                end(transfer, error)
            }
        }
    }

    private func takeMessages(_ multi: UnsafeMutableRawPointer) {
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle,
                let context = ccurl_context(easy)
            else { continue }
            let result = message.pointee.data.result
            let hop = Unmanaged<CurlHop>.fromOpaque(context).takeUnretainedValue()
            guard let transfer = transfers[hop.owner], transfer.hop === hop else { continue }
            if hop.isUnsent, result == CURLE_ABORTED_BY_CALLBACK {
                // libcurl has closed the connection, so this comes to an end.
                curl_multi_remove_handle(multi, easy)
                if curl_multi_add_handle(multi, easy) == CURLM_OK { continue }
            }
            didEndHop(transfer, result)
            // By now it is out of the multi handle. libcurl counts attempts over all transfers of a handle, and gives up after five.
            if CurlHandle.isReusable, result == CURLE_OK, hop.attempts == 1, let handle = hop.handle,
                idleHandles.count < Self.keptHandles
            {
                idleHandles.append(handle)
            }
        }
    }

    private func didEndHop(_ transfer: CurlTransfer, _ result: CURLcode) {
        guard let old = transfer.hop else { return }
        do throws(TransportError) {
            if try !transfer.repeatHop(after: result) {
                if let error = old.error(result) { throw error }
                guard try transfer.followRedirect() else {
                    transfer.finish(nil)
                    return drop(transfer)
                }
            }
            remove(old)
            queue.remove(transfer.id)
            proceed(transfer)
        } catch {
            end(transfer, error)
        }
    }

    private func endOverdue() {
        guard let first = deadlines.first, first.rank <= .now else { return }
        let now = ContinuousClock.now
        while let next = deadlines.first, next.rank <= now {
            guard let transfer = transfers[next.key] else {
                deadlines[next.key] = nil
                continue
            }
            if let limit = transfer.reachedLimit(at: now) {
                if limit == .stall, transfer.hop?.location != nil {
                    // Where it leads is known. Without the rest of its body its connection is of no use any more.
                    didEndHop(transfer, CURLE_OK)
                } else {
                    end(transfer, .timedOut(limit))
                }
            } else {
                updateDeadline(of: transfer)
            }
        }
    }

    /// Gives the places of those that get nowhere to others, as long as somebody waits for one.
    private func letRest() {
        guard look.isDue(isAwaited: queue.waitingCount > 0, at: .now) else { return }
        for transfer in transfers.values where transfer.phase == .running {
            guard let progress = transfer.progressSinceLook() else { continue }
            queue.setResting(progress < ProgressLook.leastProgress, of: transfer.id)
        }
    }

    func updateDeadline(of transfer: CurlTransfer) {
        deadlines[transfer.id] = transfer.deadline
    }

    /// Milliseconds until somebody has to be looked after.
    private func pollTime() -> Int32 {
        guard let deadline = [deadlines.first?.rank, look.next].compactMap({ $0 }).min() else { return 60_000 }
        return deadline.pollTime
    }

    func end(_ transfer: CurlTransfer, _ error: TransportError) {
        transfer.end(error)
        drop(transfer)
    }

    /// Forgets a transfer; of an unfinished one this closes the socket.
    func drop(_ transfer: CurlTransfer) {
        transfers[transfer.id] = nil
        deadlines[transfer.id] = nil
        queue.remove(transfer.id)
        transfer.priorityChanges = nil
        transfer.phase = .over
        if let hop = transfer.hop { remove(hop) }
        transfer.release()
    }

    private func remove(_ hop: CurlHop) {
        if let easy = hop.easy { curl_multi_remove_handle(multi, easy) }
    }
}
