import ImagePipeline
import Streams
import StreamsTesting

/// The record of a load, read as a test wants it.
///
///     let load = RecordingSubscriber<ImageEvent, LoadError>()
///     pipeline.events(for: request).subscribe(load)
///     #expect(load.waitForCompletion())
///     #expect(load.loadProblem == nil && load.provenance == .network)
extension RecordingSubscriber where Input == ImageEvent, Failure == LoadError {
    /// The stage that the final image came from; nil unless it was the one and last event before the stream finished.
    public var provenance: Provenance? {
        let finals = values.filter { $0.finalValue != nil }
        guard isFinished, finals.count == 1, case .final(_, let provenance)? = values.last else { return nil }
        return provenance
    }

    /// The error that the load has failed with; nil otherwise.
    public var failure: LoadError? {
        if case .failure(let error)? = completion { error } else { nil }
    }

    /// A description of what is wrong with the load by its grammar, `(progress | degraded)* (final finished | failure)`; nil where nothing is.
    ///
    /// Also wrong are a preview that is no better than the one before, or of a quality beyond 0 to 1, and every breach of the publisher's contract that the subscriber has seen.
    public var loadProblem: String? {
        if let violation = violations.first { return "\(violation)" }
        var best = -1.0
        for (index, event) in values.enumerated() {
            switch event {
            case .progress: break
            case .degraded(_, let quality):
                guard (0...1).contains(quality) else { return "a preview of quality \(quality)" }
                guard quality > best else { return "a preview of quality \(quality) came after one of \(best)" }
                best = quality
            case .final:
                guard index == values.count - 1 else { return "an event came after the final value" }
            }
        }
        let hasFinal = values.last?.finalValue != nil
        switch completion {
        case .finished: return hasFinal ? nil : "it finished without a final value"
        case .failure(let error): return hasFinal ? "it failed behind the final value: \(error)" : nil
        case nil: return nil
        }
    }

    /// The events in words, pictures by the number that they carry: `degraded 17`, `final 17 from network`, and the end:
    /// `finished`, or the error.
    public var transcript: [String] {
        let events = values.map { event in
            switch event {
            case .progress(let progress): "\(progress.received) bytes"
            case .degraded(let image, _): "degraded \(Self.name(of: image))"
            case .final(let image, let provenance): "final \(Self.name(of: image)) from \(provenance)"
            }
        }
        return switch completion {
        case .finished: events + ["finished"]
        case .failure(let error): events + ["\(error)"]
        case nil: events
        }
    }

    private static func name(of image: Image) -> String {
        image.carriedNumber.map { "\($0)" } ?? "\(image.size)"
    }
}
