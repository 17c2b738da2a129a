import CLibrary
import Figures
import PhotoGenerator

/// Makes photos, runs the gallery and the naive one, each in a process of its own, and holds what they took against its goals.
struct Program {
    var settings: Settings

    /// - Returns: The status to end with.
    func run() throws -> Int32 {
        var settings = settings
        if let film = settings.film, !Film.isFree(film) {
            print("\(film) has something in it: name a folder for the film that is empty, or is not there yet")
            return 2
        }
        // Not in the photos' folder: a name that comes or goes there makes the library list it anew.
        let (scratch, own) = (try ScratchFolder("gallery"), try ScratchFolder("gallery-photos"))
        if settings.folder.isEmpty { settings.folder = own.path }
        defer { withExtendedLifetime((scratch, own)) {} }
        let files = PhotoFolder(path: settings.folder, photos: try NumberedPhotos(settings.size))
        let start = Clocks.now
        files.make(settings.photos)
        print("\(settings.photos) photos made in \(Int(Clocks.now - start)) s")

        let index = "\(scratch.path)/index"
        guard let cold = ChildRun.notes(settings.run(.list, scratch)),
            ChildRun.notes(settings.run(.list, scratch, index: index)) != nil
        else { return 1 }
        // A folder is taken from the index once its last change lies back a little.
        sleep(3)
        guard ChildRun.notes(settings.run(.list, scratch, index: index)) != nil,
            let indexed = ChildRun.notes(settings.run(.list, scratch, index: index))
        else { return 1 }

        let visitor = Visitor(files, count: settings.photos, every: 0.25)
        let gallery = ChildRun.notes(settings.run(.gallery, scratch, index: index))
        visitor.leave()
        guard let gallery, let naive = ChildRun.notes(settings.run(.naive, scratch)) else { return 1 }

        if let chart = settings.chart {
            let svg = Chart.svg(samples: settings.run(.gallery, scratch).notes + ".samples")
            let isWritten = ReportFile.write(Array(svg.utf8), to: chart) {
                $0.hasPrefix(Chart.beginning) && $0.hasSuffix(Chart.end)
            }
            guard isWritten else { return 1 }
        }
        return figures(cold: cold, indexed: indexed, gallery: gallery, naive: naive).report()
    }

    private func figures(cold: Notes, indexed: Notes, gallery: Notes, naive: Notes) -> Figures {
        func value(_ notes: Notes, _ name: String, _ scale: Double = 1) -> Double { (notes[name] ?? .nan) * scale }
        func judged(_ goal: Double) -> Figure.Goal? { settings.isJudgedByTime ? .atMost(goal) : nil }
        let filmed = settings.film != nil
        let ratio = value(naive, "peak memory") / value(gallery, "peak memory")
        var figures = Figures()
        figures.add(
            Figure("listing, cold", value(cold, "listing seconds"), "s", judged(0.5)),
            Figure("listing, cold: memory", value(cold, "listing memory", 1e-6), "MB", .atMost(10)),
            Figure("listing, with the index", value(indexed, "listing seconds"), "s", judged(0.1)),
            // The goal is for photos of 40 KB: to decode large ones takes more.
            Figure(
                "peak resident memory", value(gallery, "peak memory", 1e-6), "MB",
                filmed || settings.isLarge ? nil : judged(42)),
            Figure("of it pages of the program and its libraries", value(gallery, "file pages", 1e-6), "MB"),
            Figure("naive: peak resident memory", value(naive, "peak memory", 1e-6), "MB"),
            Figure("naive: share of the list when stopped", value(naive, "share") * 100, "%"),
            Figure("times less memory", ratio, "", settings.photos >= 1000 && !filmed ? .atLeast(7.4) : nil),
            Figure("frames", value(gallery, "frames"), ""),
            Figure("main thread a frame, p99", value(gallery, "main p99", 1e3), "ms", judged(1)),
            Figure("main thread a frame, worst", value(gallery, "main worst", 1e3), "ms", .atMost(16.6)),
            Figure("loads started", value(gallery, "started"), ""),
            Figure("loads cancelled", value(gallery, "cancelled"), ""),
            Figure("images from memory", value(gallery, "from memory"), ""),
            Figure("images from files", value(gallery, "from files"), ""),
            Figure("degraded images shown", value(gallery, "degraded"), ""),
            Figure("decoding for images never shown", value(gallery, "wasted decoding") * 100, "%", judged(10)),
            Figure("at rest: longest until an image", value(gallery, "rest degraded", 1e3), "ms", judged(80)),
            Figure("at rest: longest until the final image", value(gallery, "rest final", 1e3), "ms", judged(300)),
            Figure("changes applied while scrolling", value(gallery, "changes"), "", .atLeast(1)),
            Figure("wrong images, by their pixels", value(gallery, "wrong"), "", .atMost(0)),
            Figure("cells with an old photo", value(gallery, "old"), "", .atMost(0)),
            Figure("cells empty at the end", value(gallery, "empty"), "", .atMost(0)))
        return figures
    }
}
