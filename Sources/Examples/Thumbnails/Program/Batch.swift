import CommandOutput
import Streams

/// Makes the thumbnails that are missing, and tells how far it is.
struct Batch {
    let work: Survey
    let settings: ThumbnailSettings
    /// Photos under way at once. Each holds a few rows and the thumbnail: what is used is bounded, however many there are.
    let jobs: Int

    func run() async -> Tally {
        let start = ContinuousClock.now
        var tally = Tally(work)
        var meter = ProgressMeter(isLive: Console.isTerminal, width: { Console.width })
        Console.line(tally.beginning)

        let maker = ThumbnailMaker(settings: settings)
        let threads = ThreadPoolScheduler(width: jobs, name: "thumbnails")
        let outcomes = work.photos.publisher.flatMap(maxPublishers: .max(jobs)) { photo in
            Deferred { Just(maker.make(photo)) }.subscribe(on: threads)
        }
        for await outcome in outcomes.values {
            tally.add(outcome)
            if let text = meter.text(tally, after: start.duration(to: .now)) { Console.write(text) }
        }

        Console.write(meter.end)
        for damage in tally.damages {
            Console.error("\(damage.path): damaged, shown as far as it goes: \(damage.reason)")
        }
        for failure in tally.failures { Console.error("\(failure.path): \(failure.reason)") }
        Console.line(tally.summary(after: start.duration(to: .now)))
        withExtendedLifetime(work) {}
        return tally
    }
}
