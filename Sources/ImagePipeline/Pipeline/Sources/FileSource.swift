import Files
import Streams

/// A source of the bytes of files, and of bytes given in the request. Reads 64 KiB at each request, and 256 KiB behind the
/// first four, on threads of its own.
///
/// Only so many files are open at once, and half as many of one directory; other loads wait for one of them to end, by
/// ``ImageRequest/priority``, and hold nothing. A file that cannot be read because its medium hangs, as a mount does whose server is
/// gone, holds up no other file, and fails when its load has waited as long as it may.
public struct FileSource: Source {
    /// Each piece costs two changes of thread, which is more than to read it.
    private static var largestChunk: Int { 256 << 10 }

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
        let directory = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        let version = request.expectsFileOfVersion ? request.version : nil
        return gate.admitting(directory, priority: request.priority) {
            Deferred { () -> AnyPublisher<DataEvent, LoadError> in
                let events = readers.reading(in: directory) { reader in
                    Deferred { contents(of: path, version) }.subscribe(on: reader.thread)
                        .waiting(
                            atMost: StoreAllowance(timeLimit), clock,
                            or: .file(path: path, reason: "the medium does not answer")
                        ) {
                            reader.hangs()
                        }
                }
                let failure = LoadError.file(path: path, reason: "the medium of its directory does not answer")
                return events ?? Fail(error: failure).eraseToAnyPublisher()
            }.eraseToAnyPublisher()
        }
    }

    /// - Parameter version: The one that the file must have before it is read and afterwards; nil for any.
    private func contents(of path: String, _ version: String?) -> AnyPublisher<DataEvent, LoadError> {
        @Sendable func failure(_ error: any Error) -> LoadError {
            error as? LoadError ?? .file(path: path, reason: "\(error)")
        }
        do {
            let file = SharedFile(try open(path))
            @Sendable func check() throws -> Int {
                let facts = FileFacts(try file.descriptor.status())
                guard version == nil || version == facts.version else { throw LoadError.fileChanged(path: path) }
                return facts.size
            }
            let size = try check()
            let response = DataResponse(provenance: .file, expectedLength: size)
            let chunks = ChunkSequence(size: size, largest: Self.largestChunk) { range in
                let bytes = try file.descriptor.read(range.count, at: range.lowerBound)
                if version != nil, range.upperBound == size || bytes.count < range.count { _ = try check() }
                return bytes
            }
            return chunks.events(after: response, failure: failure)
        } catch {
            return Fail(error: failure(error)).eraseToAnyPublisher()
        }
    }
}

extension FileFacts {
    fileprivate var version: String {
        FileSource.version(
            number: number, size: size, modified: modified.nanoseconds, changed: changed.nanoseconds)
    }
}
