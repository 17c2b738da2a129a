import CLibrary
import Dispatch
import ImagePipeline
import Streams

// Follows the folder that is its first argument until it is killed, for tests with processes. Prints the names of its photos, and the
// faults, each time that they become others.
//
//     photo-watcher FOLDER            as it is
//     photo-watcher FOLDER files      without a descriptor left when it subscribes; it gets them back when that is told as a fault
//     photo-watcher FOLDER INDEX      writes the index, again and again
let arguments = CommandLine.arguments
let isShortOfFiles = arguments.last == "files"
// A test that was ended itself kills nobody any more.
let parent = getppid()
do {
    if arguments.count == 3, !isShortOfFiles { try writeIndex(of: arguments[1], to: arguments[2]) }
    let library = try PhotoLibrary(folders: [arguments[1]], rescanInterval: .milliseconds(50))
    if isShortOfFiles {
        // Dispatch opens descriptors of its own with the first timer, and traps where there are none left, or forgets the timer. One that is
        // due already needs none: this is not.
        let isReady = DispatchSemaphore(value: 0)
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(100)) { isReady.signal() }
        isReady.wait()
        setLimit(0)
    }
    let shown = library.fetch(PhotoQuery(sortedBy: .name, ascending: true))
    say(shown)
    let changes = library.changes(of: shown).sink { say($0.after) }
    let faults = library.faults.filter { !$0.isEmpty }.sink { faults in
        for fault in faults { say("fault: \(fault)") }
        if isShortOfFiles { setLimit(1024) }
    }
    withExtendedLifetime((changes, faults)) {
        while getppid() == parent { sleep(1) }
    }
} catch {
    say("error: \(error)")
}

func say(_ photos: FetchResult) {
    say("photos: " + photos.map(\.name).joined(separator: " "))
}

func say(_ line: String) {
    print(line)
    fflush(nil)
}

/// Sets the number of files that may be open, beyond which those that are open stay so.
func setLimit(_ count: rlim_t) {
    var limit = rlimit(rlim_cur: count, rlim_max: 1024)
    #if canImport(Glibc)
        setrlimit(__rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue)), &limit)
    #else
        setrlimit(RLIMIT_NOFILE, &limit)
    #endif
}

func writeIndex(of folder: String, to index: String) throws -> Never {
    let library = try PhotoLibrary(folders: [folder], index: index)
    say("writing")
    while getppid() == parent { try library.saveIndex() }
    exit(1)
}
