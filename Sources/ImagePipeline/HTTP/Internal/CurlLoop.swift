import CCurl
import Files
import Synchronization

/// The thread that drives libcurl: takes commands, lets libcurl work, tells of what has ended.
///
/// Unchecked because of `multi`: all use of it is on the loop's thread, except `curl_multi_wakeup`, which libcurl
/// documents as the one call that any thread may make.
final class CurlLoop: @unchecked Sendable {
    enum Command: Sendable {
        case start(CurlTransfer)
        case request(CurlTransfer, Int)
        case cancel(CurlTransfer)
        case stop
    }

    let configuration: CurlTransport.Configuration
    private let multi: UnsafeMutableRawPointer?
    private let commands = Mutex<[Command]>([])
    /// Whether there is a thread; without one every transfer fails at once.
    private let isRunning = Atomic(false)

    init(_ configuration: CurlTransport.Configuration) {
        self.configuration = configuration
        multi = ccurl_initialize() == CURLE_OK ? curl_multi_init() : nil
        guard let multi else { return }
        _ = ccurl_limit_connections(multi, configuration.connections, configuration.connectionsPerHost)
        var thread = pthread_t()
        let argument = Unmanaged.passRetained(self).toOpaque()
        let status = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                Unmanaged<CurlLoop>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            }, argument)
        if status == 0 {
            pthread_detach(thread)
        } else {
            Unmanaged<CurlLoop>.fromOpaque(argument).release()
        }
        isRunning.store(status == 0, ordering: .releasing)
    }

    deinit {
        if let multi { curl_multi_cleanup(multi) }
    }

    /// Leaves a command for the thread.
    func post(_ command: Command) {
        if let multi, isRunning.load(ordering: .acquiring) {
            commands.withLock { $0.append(command) }
            curl_multi_wakeup(multi)
        } else if case .start(let transfer) = command {
            transfer.end(.failed("the transport has no thread"))
        }
    }

    private func run() {
        guard let multi else { return }
        var running: [ObjectIdentifier: CurlTransfer] = [:]
        while true {
            let queue = commands.withLock { commands in
                defer { commands = [] }
                return commands
            }
            for command in queue {
                switch command {
                case .start(let transfer):
                    guard let easy = transfer.prepare() else { break }
                    let status = curl_multi_add_handle(multi, easy)
                    if status == CURLM_OK {
                        running[ObjectIdentifier(transfer)] = transfer
                    } else {
                        transfer.end(.failed(String(cString: curl_multi_strerror(status))))
                        curl_easy_cleanup(transfer.takeHandle())
                    }
                case .request(let transfer, let chunks): transfer.grant(chunks)
                case .cancel(let transfer):
                    running[ObjectIdentifier(transfer)] = nil
                    remove(transfer)
                // Every transfer holds the transport, which posts this when nobody does: there is none left.
                case .stop: return
                }
            }
            var active: Int32 = 0
            curl_multi_perform(multi, &active)
            takeMessages(&running)
            // It fails when the machine is short of something: to ask again at once would keep a processor busy.
            if commands.withLock({ $0.isEmpty }), curl_multi_poll(multi, nil, 0, 60_000, nil) != CURLM_OK {
                usleep(10_000)
            }
        }
    }

    private func takeMessages(_ running: inout [ObjectIdentifier: CurlTransfer]) {
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle,
                let context = ccurl_context(easy)
            else { continue }
            let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
            let result = message.pointee.data.result
            running[ObjectIdentifier(transfer)] = nil
            transfer.finish(result)
            remove(transfer)
        }
    }

    /// Takes the handle out; of an unfinished transfer this closes the socket.
    private func remove(_ transfer: CurlTransfer) {
        guard let easy = transfer.takeHandle() else { return }
        curl_multi_remove_handle(multi, easy)
        curl_easy_cleanup(easy)
    }
}
