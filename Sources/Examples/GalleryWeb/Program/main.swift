import CLibrary
import Dispatch
import Figures
import PhotoGenerator

// The gallery in a browser: what it is to show is in Gallery/, how it gets there in Server/, and the page itself in Page/.

/// Returns when the user ends the program.
func interruption() async {
    let signals = [SIGINT, SIGTERM]
    for number in signals { signal(number, SIG_IGN) }
    let (interruptions, interrupted) = AsyncStream<Void>.makeStream()
    let sources = signals.map { number in
        let source = DispatchSource.makeSignalSource(signal: number)
        source.setEventHandler { interrupted.yield() }
        source.activate()
        return source
    }
    for await _ in interruptions { break }
    for source in sources { source.cancel() }
}

guard let settings = Settings(Array(CommandLine.arguments.dropFirst())) else {
    print(Settings.usage)
    exit(2)
}
do {
    // Removed at the end, with its photos.
    let own = settings.folder == nil ? try ScratchFolder("gallery-web") : nil
    let folder = settings.folder ?? own?.path ?? ""
    if let count = settings.photos ?? (own == nil ? nil : 2000) {
        PhotoFolder(path: folder, photos: try NumberedPhotos(settings.size)).make(count)
    }
    let gallery = try Gallery(folder: folder)
    let server = try await WebServer(port: settings.port) { gallery.answer($0) }
    print("\(gallery.list.photos.count) photos at \(server.address)")
    fflush(nil)
    await interruption()
    withExtendedLifetime((own, server)) {}
} catch {
    print("\(error)")
    exit(1)
}
