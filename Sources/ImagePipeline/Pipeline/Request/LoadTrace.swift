import Streams
import Synchronization

/// The way of one request, stage by stage. Its description is a sentence.
///
///     let trace = LoadTrace()
///     request.trace = trace
///     …
///     print(trace)  // final image from network after 48.2 ms: not from memory, 81234 bytes by 40.1 ms, first after 12 ms; 2 previews …
///
/// A trace is for one load: make one for each.
public final class LoadTrace: Sendable {
    private let clock: @Sendable () -> Duration
    private let whenOver: @Sendable (LoadTrace) -> Void
    private let records = Mutex<[LoadStage: StageRecord]>([:])

    /// Creates a trace of a request that is to be made.
    ///
    /// - Parameters:
    ///   - clock: The clock: a closure that returns the time since some moment. By default the system's.
    ///   - whenOver: A closure that is called when the request has ended, whichever way.
    public init(
        clock: (@Sendable () -> Duration)? = nil, whenOver: @escaping @Sendable (LoadTrace) -> Void = { _ in }
    ) {
        self.clock = clock ?? { .sinceStart }
        self.whenOver = whenOver
    }

    /// The record of a stage; nil where the request did not come to it.
    ///
    /// - Parameter stage: The stage.
    public subscript(stage: LoadStage) -> StageRecord? { records.withLock { $0[stage] } }
}

extension LoadTrace: StageObserver {
    var now: Duration { clock() }

    func begin(_ record: StageRecord) {
        records.withLock { $0[record.stage] = record }
    }

    func end(_ record: StageRecord) {
        records.withLock { $0[record.stage] = record }
        if record.stage == .request { whenOver(self) }
    }
}

extension LoadTrace: Hashable {
    public static func == (lhs: LoadTrace, rhs: LoadTrace) -> Bool { lhs === rhs }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}

extension LoadTrace: CustomStringConvertible {
    public var description: String {
        let records = records.withLock { $0 }
        guard let request = records[.request] else { return "not begun" }
        let parts = [way(records), bytes(records, since: request.began), images(records, since: request.began)]
            .compactMap { $0 }
        return ending(request) + (parts.isEmpty ? "" : ": " + parts.joined(separator: "; "))
    }

    private func ending(_ request: StageRecord) -> String {
        let time = request.duration?.short ?? ""
        return switch request.ending {
        case .finished where request.provenance == .preview: "a preview, good enough, after \(time)"
        case .finished:
            "final image from \(request.provenance?.rawValue ?? "nowhere") after \(time)"
                + (request.damage.map { ", damaged: \($0)" } ?? "")
        case .failed(let error): "failed after \(time) (\(error))"
        case .cancelled: "cancelled after \(time)"
        case nil: "under way"
        }
    }

    /// The tiers that it is not from: they had nothing, or its policy went past them.
    private func way(_ records: [LoadStage: StageRecord]) -> String? {
        let provenance = records[.request]?.provenance
        if provenance == .memory || provenance == .preview { return nil }
        guard records[.decoding] != nil else {
            return provenance == .network ? "shared a load that was under way" : "not from memory"
        }
        guard let transfer = records[.transfer] else { return "not from memory" }
        guard records[.bytes]?.provenance == .disk else { return "served neither from memory nor from disk" }
        if case .failed = transfer.ending { return "not from memory, on disk, and the server could not be asked" }
        return "not from memory, on disk as the server has it"
    }

    private func bytes(_ records: [LoadStage: StageRecord], since start: Duration) -> String? {
        let isFromDisk = records[.bytes]?.provenance == .disk
        guard let bytes = isFromDisk ? records[.bytes] : records[.transfer] ?? records[.bytes] else { return nil }
        guard let first = bytes.first else {
            return bytes.ended.map { "no bytes, waited \(($0 - bytes.began).short) for them" } ?? "waits for bytes"
        }
        let whole = bytes.expected.map { $0 == bytes.received ? "" : " of \($0)" } ?? ""
        let end = bytes.ended.map { ", the last after \(($0 - start).short)" } ?? ""
        return "\(bytes.received)\(whole) bytes, the first after \((first - start).short)\(end)"
    }

    private func images(_ records: [LoadStage: StageRecord], since start: Duration) -> String? {
        let request = records[.request]
        var parts: [String] = []
        if let request, request.previews > 0, let first = request.first {
            parts.append(
                "\(request.previews) preview\(request.previews == 1 ? "" : "s"), the first after \((first - start).short)"
            )
        }
        if let decoding = records[.decoding], case .finished = decoding.ending, let end = decoding.ended,
            let last = (records[.bytes] ?? records[.transfer])?.ended, end >= last
        {
            parts.append("decoded \((end - last).short) behind the last byte")
        }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}

extension ImageRequest {
    /// The name of the request in logs, without the parts of a URL that may be secret.
    var logName: String {
        if let identity { return identity }
        return switch resource {
        case .url(let url): url.publicURL
        case .file(let path): path
        case .data(let bytes): "\(bytes.count) bytes"
        case .stream(let stream): stream.name
        }
    }
}
