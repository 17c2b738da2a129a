import Files
import Streams
import StreamsTesting
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("Files and bytes at hand")
struct FileSourceTests {
    let directory = TemporaryDirectory()

    private func lengths(_ subscriber: RecordingSubscriber<DataEvent, LoadError>) -> [Int] {
        subscriber.values.compactMap { if case .chunk(let bytes) = $0 { bytes.count } else { nil } }
    }

    @Test("No chunk is empty: of no bytes at hand there is none, and none behind a file's end that came too early")
    func chunks() throws {
        let source = FileSource(on: ThreadPoolScheduler(width: 1))
        let nothing = RecordingSubscriber<DataEvent, LoadError>()
        source.events(for: ImageRequest(.data([]))).subscribe(nothing)
        #expect(nothing.waitForCompletion())
        #expect(nothing.values.count == 1)

        let path = "\(directory.path)/file"
        try FileDescriptor(opening: path, O_WRONLY | O_CREAT).write([UInt8](repeating: 1, count: 200_000), at: 0)
        let cut = RecordingSubscriber<DataEvent, LoadError>(initialDemand: .max(2))
        source.events(for: ImageRequest(path)).subscribe(cut)
        while cut.values.count < 2 { _ = cut.waitForCompletion(seconds: 0) }
        #expect(truncate(path, 70_000) == 0)
        cut.request(.unlimited)
        #expect(cut.waitForCompletion())
        #expect(cut.isFinished)
        // How much is read ahead of demand is not the point.
        #expect(lengths(cut).first == 65_536)
        #expect(!lengths(cut).contains(0))
    }

    @Test("A named pipe and a directory are refused in place of a file, at once")
    func notFiles() {
        let path = "\(directory.path)/pipe"
        #expect(mkfifo(path, 0o600) == 0)
        for path in [path, "/"] {
            let subscriber = RecordingSubscriber<DataEvent, LoadError>()
            FileSource(on: ThreadPoolScheduler(width: 1)).events(for: ImageRequest(path)).subscribe(subscriber)
            #expect(subscriber.waitForCompletion())
            guard case .failure(.file)? = subscriber.completion else {
                Issue.record("\(path) was read")
                continue
            }
        }
    }
}
