import Files
import Streams

/// A source of the bytes of files, and of bytes given in the request. Reads 64 KiB at each request, and 256 KiB behind the first four.
///
/// Bytes that the system holds in memory are read on the thread that requests them, which takes about ten microseconds and never waits for
/// the medium. All others are read on threads of the source's own.
///
/// The number of files that are open at once is limited, and that of one directory to half of it; other loads wait for one of them
/// to end, by ``ImageRequest/priority``, and hold nothing. A file that cannot be read because its medium hangs, as a mount does whose server is
/// gone, holds up no other file, and fails when its load has waited as long as it may.
public struct FileSource: Source {
    private let gate: AdmissionGate<String>
    private let readers = FileReaders()
    private let timeLimit: Duration
    private let clock: StoreClock
    private let open: @Sendable (String) throws(SystemError) -> FileDescriptor

    /// Creates a source of files.
    ///
    /// - Parameters:
    ///   - openFiles: The number of files that are open at once.
    ///   - timeLimit: The longest time that one load waits for the medium.
    ///   - clock: The clock that measures how long a load has waited.
    public init(openFiles: Int = 16, timeLimit: Duration = .seconds(10), clock: StoreClock = .system) {
        self.init(openFiles: openFiles, timeLimit: timeLimit, clock: clock, opening: FileDescriptor.reading)
    }

    init(
        openFiles: Int, timeLimit: Duration, clock: StoreClock,
        opening open: @escaping @Sendable (String) throws(SystemError) -> FileDescriptor
    ) {
        gate = AdmissionGate(limit: openFiles, perGroup: max(1, openFiles / 2))
        self.timeLimit = timeLimit
        self.clock = clock
        self.open = open
    }

    public func events(for request: ImageRequest) -> AnyPublisher<DataEvent, LoadError> {
        switch request.resource {
        case .url(let url):
            Fail(error: .unsupported("\(url) is not a file")).eraseToAnyPublisher()
        case .data(let bytes):
            [.response(DataResponse(provenance: .data, expectedLength: bytes.count)), .chunk(bytes)]
                // A chunk is never empty.
                .prefix(bytes.isEmpty ? 1 : 2).publisher.setFailureType(to: LoadError.self).eraseToAnyPublisher()
        case .stream(let stream):
            stream.events
        case .file(let path) where path.isEmpty:
            Fail(error: .unsupported("the path is empty")).eraseToAnyPublisher()
        case .file(let path):
            read(path, for: request)
        }
    }

    /// The version of a file in which another content, or another file, under its path has another one.
    static func version(number: UInt64, size: Int, modified: Int64, changed: Int64) -> String {
        "\(number) \(size) \(modified) \(changed)"
    }

    private func read(_ path: String, for request: ImageRequest) -> AnyPublisher<DataEvent, LoadError> {
        let version = request.expectsFileOfVersion ? request.version : nil
        @Sendable func failure(_ error: any Error) -> LoadError {
            error as? LoadError ?? .file(path: path, reason: "\(error)")
        }
        return admitting(path, priority: request.priority) { reader in
            AnyPublisher.create { emitter in
                reader.schedule {
                    guard !emitter.isCancelled else { return }
                    do {
                        let file = SharedFile(try open(path))
                        let facts = FileFacts(try file.descriptor.status())
                        try facts.check(version, of: path)
                        var response = DataResponse(provenance: .file, expectedLength: facts.size)
                        response.arrived = arrived(path, facts, priority: request.priority)
                        emitter.send(.response(response))
                        let body = body(of: file, facts.size, version, path, by: reader, to: emitter, failure: failure)
                        emitter.onRequest { _ in body.send() }
                    } catch {
                        emitter.onError(failure(error))
                    }
                }
                return Disposable {}
            }
        }
    }

    /// Admits a load of a file, and gives it a thread that may wait for the medium, as long as loads may.
    private func admitting<Output: Sendable>(
        _ path: String, priority: LoadPriority,
        _ load: @escaping @Sendable (FileReader) -> AnyPublisher<Output, LoadError>
    ) -> AnyPublisher<Output, LoadError> {
        let directory = Directory.holding(path)
        return gate.admitting(directory, priority: priority) {
            Deferred { () -> AnyPublisher<Output, LoadError> in
                let loaded = readers.reading(in: directory) { reader in
                    load(reader)
                        .waiting(
                            atMost: StoreAllowance(timeLimit), clock,
                            or: .file(path: path, reason: "the medium does not answer")
                        ) {
                            reader.hangs()
                        }
                }
                let failure = LoadError.file(path: path, reason: "the medium of its directory does not answer")
                return loaded ?? Fail(error: failure).eraseToAnyPublisher()
            }.eraseToAnyPublisher()
        }
    }

    private func body(
        of file: SharedFile, _ size: Int, _ version: String?, _ path: String, by reader: FileReader,
        to emitter: Emitter<DataEvent, LoadError>, failure: @escaping @Sendable (any Error) -> LoadError
    ) -> FileBody {
        // A file that changed while it was read may be a mixture.
        @Sendable func checkAtEnd(_ range: Range<Int>, _ count: Int) throws {
            guard version != nil, range.upperBound == size || count < range.count else { return }
            try FileFacts(try file.descriptor.status()).check(version, of: path)
        }
        let pieces = ChunkSequence(size: size) { range in
            let bytes = try file.descriptor.read(range.count, at: range.lowerBound)
            try checkAtEnd(range, bytes.count)
            return bytes
        }
        return FileBody(
            pieces,
            readCached: { range in
                guard let bytes = file.descriptor.readCached(range.count, at: range.lowerBound) else { return nil }
                try checkAtEnd(range, bytes.count)
                return bytes
            }, elsewhere: reader.schedule, to: emitter, failure: failure)
    }

    /// The file, for whoever comes late or is slow. It is opened anew for each piece: who waits holds no descriptor.
    private func arrived(_ path: String, _ facts: FileFacts, priority: LoadPriority) -> ArrivedBody {
        let written = WrittenBody(length: facts.size) { range in
            let file = try open(path)
            try FileFacts(try file.status()).check(facts.version, of: path)
            return try file.read(range.count, at: range.lowerBound)
        }
        return ArrivedBody(written) { read in
            admitting(path, priority: priority) { reader in
                AnyPublisher.create { emitter in
                    reader.schedule {
                        guard !emitter.isCancelled else { return }
                        do {
                            emitter.send(try read())
                            emitter.onComplete()
                        } catch {
                            emitter.onError(.file(path: path, reason: "\(error)"))
                        }
                    }
                    return Disposable {}
                }
            }
            .mapError { .failed("\($0)") }.eraseToAnyPublisher()
        }
    }
}

extension FileFacts {
    fileprivate var version: String {
        FileSource.version(
            number: number, size: size, modified: modified.nanoseconds, changed: changed.nanoseconds)
    }

    /// - Parameter version: The one that the file must have; nil for any.
    fileprivate func check(_ version: String?, of path: String) throws(LoadError) {
        guard version == nil || version == self.version else { throw .fileChanged(path: path) }
    }
}
