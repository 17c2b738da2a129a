import Files
import Streams

/// A source of the bytes of files, and of bytes and streams given in the request. Reads 64 KiB at each request, on threads that may
/// block.
///
/// Only so many files are open at once; other loads wait for one of them to end, by ``ImageRequest/priority``, and hold nothing.
public struct FileSource: Source {
    private let threads: ThreadPoolScheduler
    private let gate: AdmissionGate<Never>

    /// Creates a source of files.
    ///
    /// - Parameters:
    ///   - threads: The threads that read files.
    ///   - openFiles: The number of files that are open at once.
    public init(on threads: ThreadPoolScheduler, openFiles: Int = 16) {
        self.threads = threads
        gate = AdmissionGate(limit: openFiles)
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
            gate.admitting(priority: request.priority) { [threads] in
                Deferred { Self.read(path) }.subscribe(on: threads).eraseToAnyPublisher()
            }
        }
    }

    private static func read(_ path: String) -> AnyPublisher<DataEvent, LoadError> {
        do {
            let file = OpenFile(try FileDescriptor.reading(path))
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
