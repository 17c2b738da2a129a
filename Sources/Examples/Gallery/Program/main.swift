import CLibrary
import Dispatch

// A gallery of 60,000 photos in a few megabytes: the grid and its cells are in Grid/, everything else measures them.

guard let settings = Settings(Array(CommandLine.arguments.dropFirst())) else {
    print(Settings.usage)
    exit(2)
}
// A photo that the process's limit for files has no room for cannot be written, as on a full disk.
signal(SIGXFSZ, SIG_IGN)
do {
    switch settings.mode {
    case .all:
        exit(try Program(settings: settings).run())
    case .list, .gallery:
        let run = try GalleryRun(settings)
        run.begin()
        withExtendedLifetime(run) { dispatchMain() }
    case .naive:
        let run = try NaiveRun(settings)
        run.begin()
        withExtendedLifetime(run) { dispatchMain() }
    }
} catch let over as RunIsOver {
    over.notes.write(settings.notes)
    exit(0)
} catch {
    print("\(error)")
    exit(1)
}
