import Glibc

// soak MINUTES SCRATCH
//
// Loads images from a server that misbehaves, in a process of its own that is ended and begun anew again and again, and cancels one in
// three. Ends with 1 unless memory, descriptors and threads stay as they were, and each load ends once, in its time; and unless 2,000
// loads that are cancelled at once, five times, leave nothing behind.
//
// soak --serve SEED
//
// is that server; it prints its port and serves until its input ends.

let arguments = CommandLine.arguments
do {
    if arguments.count == 3, arguments[1] == "--serve", let seed = UInt64(arguments[2]) {
        try Misbehaviour(seed: seed).serve()
    } else if arguments.count == 3, let minutes = Double(arguments[1]) {
        // A short run is one on a machine that does other work: how fast it is there says nothing.
        let storm = try CancelStorm(isTimed: minutes >= 10).run()
        let soak = try Soak(program: arguments[0], scratch: arguments[2]).run(for: .seconds(60 * minutes))
        if !storm || !soak { exit(1) }
    } else {
        say("usage: soak MINUTES SCRATCH")
        exit(2)
    }
} catch {
    say("soak: \(error)")
    exit(1)
}
