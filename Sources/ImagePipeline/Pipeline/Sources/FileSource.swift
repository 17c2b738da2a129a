import Files
import Streams

/// A source of the bytes of files, and of bytes given in the request. Reads 64 KiB at each request, on threads of its own.
///
/// Only so many files are open at once, and half as many of one directory; other loads wait for one of them to end, by
/// ``ImageRequest/priority``, and hold nothing. A file that cannot be read because its medium hangs, as a mount does whose server is
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
            read(path, priority: request.priority)
        }
    }

    private func read(_ path: String, priority: LoadPriority) -> AnyPublisher<DataEvent, LoadError> {
        let directory = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        return gate.admitting(directory, priority: priority) {
            Deferred { () -> AnyPublisher<DataEvent, LoadError> in
                let events = readers.reading(in: directory) { reader in
                    Deferred { contents(of: path) }.subscribe(on: reader.thread)
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

    private func contents(of path: String) -> AnyPublisher<DataEvent, LoadError> {
        do {
            let file = OpenFile(try open(path))
            let size = Int(try file.descriptor.status().st_size)
            let response = DataResponse(provenance: .file, expectedLength: size)
            return ChunkSequence(size: size) { try file.descriptor.read($0.count, at: $0.lowerBound) }
                .events(after: response) { .file(path: path, reason: "\($0)") }
        } catch {
            return Fail(error: .file(path: path, reason: "\(error)")).eraseToAnyPublisher()
        }
    }
}

/// A file that several closures read.
private final class OpenFile: Sendable {
    let descriptor: FileDescriptor

    init(_ descriptor: consuming FileDescriptor) {
        self.descriptor = descriptor
    }
}
