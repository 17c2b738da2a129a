import Files
import Streams

extension DiskCache: BodyStore {
    public var wallClock: Duration { now() }

    public func storedBody(for key: CacheKey) -> (any StoredBody)? { entry(for: key) }

    public func hasBody(for key: CacheKey) -> Bool { access(path(of: key), F_OK) == 0 }

    public func bodyWriter(for key: CacheKey, metadata: [UInt8], expectedLength: Int?) -> (any BodyWriter)? {
        guard let writer = writer(for: key, metadata: metadata, expectedLength: expectedLength) else { return nil }
        return DirectoryBodyWriter(writer)
    }

    public func setMetadata(_ metadata: [UInt8], of body: any StoredBody) {
        if let entry = body as? DiskEntry { update(entry, metadata: metadata) }
    }

    public func removeBody(for key: CacheKey) { remove(key) }

    public func lease(of key: CacheKey, for time: Duration) throws -> LeaseAnswer {
        do throws(SystemError) {
            return try DirectoryLease.take(of: key, for: time, in: self)
        } catch {
            report(error, from: DirectoryLease.path(of: key, in: self), while: .writing)
            return .none
        }
    }
}

extension DiskEntry: StoredBody {}

/// A writer of an entry as an object.
private final class DirectoryBodyWriter: ReadableBodyWriter {
    private let writer: SerialState<DiskEntryWriter?>

    init(_ writer: consuming DiskEntryWriter) {
        self.writer = SerialState(writer)
    }

    func append(_ bytes: [UInt8]) {
        writer.withValue { $0?.append(bytes) }
    }

    var written: WrittenBody? {
        writer.withValue { $0?.written }
    }

    func publish() -> Bool {
        writer.withValue { $0.take()?.publish() ?? false }
    }
}
