import Figures
import Foundation
import ImagePipeline
import Streams

/// A week of a sports diary: what its screens ask for, and how often the server is called.
struct Story {
    private let directory: String
    private let clock = Clock(at: .seconds(20_412 * 86_400 + 18 * 3_600))
    private let origin: Origin
    private let threads = ThreadPoolScheduler(width: 2)
    private var figures = Figures()

    init(directory: String) {
        self.directory = directory
        origin = Origin(clock: clock)
    }

    /// One run of the app: nothing but the directory outlives it.
    private struct Run {
        let memory: MemoryCache<CacheKey, Day>
        let disk: DiskCache
        let records: Records
    }

    private func start(policyForToday: CachePolicy = .noStore, directory name: String = "days") -> Run {
        let clock = clock
        let memory = MemoryCache<CacheKey, Day>(costLimit: 100, now: { clock.steady })
        let disk = DiskCache(directory: "\(directory)/\(name)", now: { clock.now })
        return Run(
            memory: memory, disk: disk,
            records: Records(
                origin: origin, disk: disk, memory: memory, clock: clock, policyForToday: policyForToday, on: threads))
    }

    /// The calls that something makes.
    private func calls(_ body: () async throws -> Void) async rethrows -> Int {
        let before = origin.calls
        try await body()
        return origin.calls - before
    }

    private mutating func add(_ name: String, _ count: Int, _ unit: String = "calls", goal: Int) {
        figures.add(Figure(name, count, unit, .exactly(Double(goal))))
    }

    private func view(_ dates: [CalendarDate], _ run: Run) async throws {
        for date in dates { _ = try await run.records.value(for: date) }
    }

    mutating func run() async throws -> Figures {
        let today = clock.today
        let past = (1...6).map { today.before(by: $0) }

        // Every view of a day a call: the program before.
        let views = 3 * 7 + 2 + 3
        print("Without caches, the \(views) views below are \(views) calls.\n")
        let begin = origin.calls

        var run = start()
        add(
            "a week is opened for the first time", try await calls { try await view(past + [today], run) }, goal: 7)
        add("the same week again: only today", try await calls { try await view(past + [today], run) }, goal: 1)
        run = start()
        add(
            "again after a restart: only today", try await calls { try await view(past + [today], run) }, goal: 1)

        let (other, screens) = (today.before(by: 7), run.records)
        add(
            "two screens open another day at once",
            try await calls {
                async let first = screens.value(for: other)
                async let second = screens.value(for: other)
                _ = try await (first, second)
            }, goal: 1)
        add(
            "today's record in memory", run.memory.value(forKey: Self.key(today)) == nil ? 0 : 1, "records", goal: 0)
        add("today's record on disk", run.disk.entry(for: Self.key(today)) == nil ? 0 : 1, "records", goal: 0)

        let partial = try await run.records.value(for: today).workouts.count
        clock.advance(by: .seconds(7 * 3_600))
        add(
            "what was today is past: fetched once more", try await calls { try await view([today], run) }, goal: 1)
        add(
            "its record is whole; before midnight it had \(partial) workouts",
            try await run.records.value(for: today).workouts.count, "workouts", goal: 4)
        add("in all, in place of \(views)", origin.calls - begin, goal: 12)

        try await keptUntilMidnight()
        try await broken(today)
        return figures
    }

    /// An app that may show today as it was a while ago, but not beyond midnight.
    private mutating func keptUntilMidnight() async throws {
        let today = clock.today
        let run = start(policyForToday: .expires(at: today.end), directory: "until-midnight")
        add(
            "today, kept until midnight, is viewed twice", try await calls { try await view([today, today], run) },
            goal: 1)
        clock.advance(by: .seconds(24 * 3_600))
        add("after midnight it is fetched", try await calls { try await view([today], run) }, goal: 1)
        add("and whole", try await run.records.value(for: today).workouts.count, "workouts", goal: 4)
    }

    /// A file that was damaged is as good as none.
    private mutating func broken(_ date: CalendarDate) async throws {
        let path = "\(directory)/days/\(Self.key(date).digest)"
        guard var bytes = FileManager.default.contents(atPath: path), !bytes.isEmpty else {
            add("files of a past day", 0, "files", goal: 1)
            return
        }
        bytes[bytes.count - 1] ^= 1
        try bytes.write(to: URL(fileURLWithPath: path))
        let run = start()
        add("a broken file is a miss", try await calls { try await view([date, date], run) }, goal: 1)
    }

    private static func key(_ date: CalendarDate) -> CacheKey { CacheKey(["day", "\(date.days)"]) }
}
