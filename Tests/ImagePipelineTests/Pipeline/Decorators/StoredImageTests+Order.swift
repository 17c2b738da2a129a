import Dispatch
import Streams
import StreamsTesting
import TestSupport
import Testing

@testable import ImagePipeline

extension StoredImageTests {
    /// Has two loads of one image end while nobody encodes, and waits until both images have been encoded.
    private func loadTwice(
        _ source: (WorkQueue<ThreadPoolScheduler>, ThreadPoolScheduler) -> some Source<ImageRequest, ImageEvent>,
        _ request: ImageRequest
    ) {
        // One thread each: what is scheduled behind something is done behind it.
        let workers = WorkQueue(on: ThreadPoolScheduler(width: 1))
        let threads = ThreadPoolScheduler(width: 1)
        let gate = DispatchSemaphore(value: 0)
        let done = DispatchSemaphore(value: 0)
        workers.turn(.fixed(LoadPriority.high.level)).schedule { gate.wait() }
        let source = source(workers, threads)
        var request = request
        request.priority = .low
        _ = load(request, from: source)
        request.priority = .high
        request.caching = .reload
        _ = load(request, from: source)
        // The load is told that what was there is removed before the turn of that is over, and a write waits for its turn.
        threads.schedule { done.signal() }
        done.wait()
        gate.signal()
        workers.aside(holding: 0, for: .low) { threads.schedule { done.signal() } }
        done.wait()
    }

    /// A source that delivers one image after the other.
    private func source(of images: [(Image, Provenance)]) -> AnySource<ImageRequest, ImageEvent> {
        let count = Counter()
        return AnySource { _ in
            Deferred {
                let (image, provenance) = images[min(count.value, images.count - 1)]
                count.add()
                return Just(ImageEvent.final(image, provenance)).setFailureType(to: LoadError.self)
            }.eraseToAnyPublisher()
        }
    }

    private func imageThatMayNotBeKeptAnyMore() throws -> AnySource<ImageRequest, ImageEvent> {
        let image = try Pictures.gradient(40, 30)
        return source(of: [.seconds(600), .zero].map { (image, Provenance(.network, freshFor: $0)) })
    }

    @Test("An image that is encoded late is not written over a newer one")
    func writtenLate() throws {
        let cache = disk()
        let (old, new) = (try Pictures.gradient(40, 30), try Pictures.gradient(30, 40))
        let images = source(of: [old, new].map { ($0, Provenance(.network, freshFor: .seconds(600))) })
        let request = ImageRequest(.data([1]), as: .fit(box))
        loadTwice({ images.cached(in: cache, as: .png(), workers: $0, on: $1) }, request)
        let kept = try #require(
            final(load(request, from: images.cached(in: cache, as: .png(), workers: workers, on: threads))))
        #expect(kept.provenance == .disk && kept.image == new)
        #expect(cache.statistics.writes == 1)
    }

    @Test("An image that is encoded late is not written behind one that must not be kept")
    func writtenBehindRemoval() throws {
        let cache = disk()
        let images = try imageThatMayNotBeKeptAnyMore()
        loadTwice(
            { images.cached(in: cache, as: .png(), workers: $0, on: $1) }, ImageRequest(.data([1]), as: .fit(box)))
        #expect(cache.statistics.writes == 0 && cache.contents().entries == 0)
    }

    @Test("A placeholder that is computed late is not written behind one that must not be kept")
    func placeholderWrittenBehindRemoval() throws {
        let cache = disk()
        let images = try imageThatMayNotBeKeptAnyMore()
        var request = ImageRequest(.data([1]), as: .fit(box))
        // Looking for one takes a worker, too.
        request.previews = false
        loadTwice({ images.showingPlaceholders(in: cache, workers: $0, on: $1) }, request)
        #expect(cache.statistics.writes == 0 && cache.contents().entries == 0)
    }

    @Test("An image says when its server was asked, if the source that it came from has said so")
    func askingTime() throws {
        let cache = disk()
        let asked = [clock.now - .seconds(5), nil]
        let images = try asked.map { time in
            var provenance = Provenance(.disk, freshFor: .seconds(600))
            provenance.asked = time.map { AskingTime(noted: $0) }
            return (try Pictures.gradient(40, 30), provenance)
        }
        let source = source(of: images).cached(in: cache, as: .png(), workers: workers, on: threads)
        for (number, time) in asked.enumerated() {
            let request = ImageRequest(.data([UInt8(number)]), as: .fit(box))
            _ = load(request, from: source)
            waitForWrites(number + 1, in: cache)
            #expect(final(load(request, from: source))?.provenance.asked?.sinceEpoch == time)
        }
    }
}
