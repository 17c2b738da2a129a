import CommandOutput
import ImagePipeline
import Streams

/// Loads what the command line names and writes the results.
struct Batch: Sendable {
    /// How many images are under way at once: what they hold in memory is bounded, however many are named.
    private static let width = 6

    let inputs: [String]
    let box: PixelSize
    let output: OutputDirectory
    let format: OutputFormat
    /// Where originals are kept; `nil`: nowhere.
    let cache: String?

    /// Whether all of them were loaded and written.
    func run() async throws -> Bool {
        let loader = Loader(cache: cache)
        let board = ProgressBoard(names: inputs)
        var names = OutputNames()
        let jobs = inputs.enumerated().map { index, input in
            let name = names.name(for: input, size: max(box.width, box.height), extension: format.fileExtension)
            return (index: index, input: input, name: name)
        }
        return await withTaskGroup(of: Bool.self) { group in
            var isComplete = true
            var waiting = jobs[...]
            for job in waiting.prefix(Self.width) { group.addTask { await load(job, from: loader, board) } }
            waiting = waiting.dropFirst(Self.width)
            while let succeeded = await group.next() {
                isComplete = isComplete && succeeded
                if let job = waiting.popFirst() { group.addTask { await load(job, from: loader, board) } }
            }
            return isComplete
        }
    }

    private func load(
        _ job: (index: Int, input: String, name: String), from loader: Loader, _ board: ProgressBoard
    ) async -> Bool {
        do {
            // Before anything is fetched, not only after it.
            try output.check(job.name)
        } catch {
            board.show("failed: \(error)", for: job.index, isLasting: true)
            return false
        }
        let recording = Recording(loader.events(for: job.input, in: box)) { event in
            if case .progress(let progress) = event { board.show(progress.text, for: job.index, isLasting: false) }
        }
        await recording.ended()
        guard let image = recording.final, let provenance = recording.provenance else {
            let reason = recording.failure.map { "\($0)" } ?? "no image came"
            board.show("failed: \(reason)", for: job.index, isLasting: true)
            return false
        }
        do {
            let path = try output.write(image.encoded(as: format.encoding), as: job.name)
            let damage = image.damage.map { ", damaged: \($0)" } ?? ""
            board.show("\(image.size) from \(provenance) -> \(path)\(damage)", for: job.index, isLasting: true)
            return true
        } catch {
            board.show("failed: \(error)", for: job.index, isLasting: true)
            return false
        }
    }
}
