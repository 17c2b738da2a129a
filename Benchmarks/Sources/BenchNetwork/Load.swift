import ChildProcess
import Dispatch
import ImagePipeline
import Streams
import Synchronization

/// GETs of one URL through the library's source of bytes, as a program would make them.
struct Load {
    let url: String
    let count: Int
    let atOnce: Int
    let isHTTP2: Bool
    let authorityFile: String
    let bodyBytes: Int

    /// - Parameter words: Those behind `--load`; nil unless they are as many as they should be.
    init?(_ words: [String]) {
        guard words.count == 6, let count = Int(words[1]), let atOnce = Int(words[2]), let bytes = Int(words[5]) else {
            return nil
        }
        (url, self.count, self.atOnce) = (words[0], count, atOnce)
        (isHTTP2, authorityFile, bodyBytes) = (words[3] == "http2", words[4], bytes)
    }

    func run() throws {
        let (wall, cpu) = (ContinuousClock.now, OwnProcess.cpu())
        if count > 0 { try load() }
        let (seconds, attoseconds) = (ContinuousClock.now - wall).components
        let milliseconds = Double(seconds) * 1e3 + Double(attoseconds) / 1e15
        print(milliseconds, OwnProcess.cpu() - cpu, OwnProcess.peak())
    }

    private func load() throws {
        var options = TransportOptions()
        options.transfersPerHost = atOnce
        options.version = isHTTP2 ? .http2 : .http1
        options.authorityFile = authorityFile
        options.proxy = .none
        let source = HTTPSource(CurlTransport(options))
        let request = ImageRequest(.url(url))
        let received = SerialState(0)
        let failure = Mutex(LoadError?.none)
        let isOver = DispatchSemaphore(value: 0)
        let loads = repeatElement(request, count: count).publisher.setFailureType(to: LoadError.self)
            .flatMap(maxPublishers: .max(atOnce)) { source.events(for: $0) }
            .sink(
                receiveCompletion: { completion in
                    if case .failure(let error) = completion { failure.withLock { $0 = error } }
                    isOver.signal()
                },
                receiveValue: { event in
                    if case .chunk(let bytes) = event { received.withValue { $0 += bytes.count } }
                })
        isOver.wait()
        loads.cancel()
        if let error = failure.withLock({ $0 }) { throw error }
        let total = received.withValue { $0 }
        guard total == count * bodyBytes else {
            throw ChildProcess.Failure(description: "\(total) bytes came, not \(count * bodyBytes)")
        }
    }
}
