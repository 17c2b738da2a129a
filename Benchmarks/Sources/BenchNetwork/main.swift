import ChildProcess
import Glibc

// bench-network JSON SCRATCH FLOOR [--quick] [--peer NAME=PROGRAM]… [WORDS…]
//
// GETs from an nginx on loopback: many large bodies, more small ones, some at once, in the clear, encrypted and by HTTP/2. Each
// subject is a process of its own that prints its wall time, its processor time and its peak memory; they take turns. FLOOR
// is the C program that only runs libcurl; peers are further programs that are called alike. Ends with 1 when a goal is missed.
//
// bench-network --load URL COUNT AT-ONCE http1|http2 AUTHORITY-FILE BODY-BYTES
//
// is one such subject: this library. With a COUNT of 0 it does nothing, which tells what memory a process takes anyway.
//
// bench-network --healthy SCRATCH
//
// makes many small loads, alone and beside hosts that are sick. Ends with 1 when one fails or takes far longer than the others.

let arguments = Array(CommandLine.arguments.dropFirst())
do {
    if arguments.first == "--load", let load = Load(Array(arguments.dropFirst())) {
        try load.run()
    } else if arguments.count == 2, arguments[0] == "--healthy" {
        let server = try Server(in: arguments[1], bodies: [HealthyLoads.bytes])
        defer { server.stop() }
        if try !HealthyLoads(server: server).run() { exit(1) }
    } else if arguments.count >= 3, let plan = Plan(Array(arguments.dropFirst(3))) {
        let comparison = Comparison(
            program: CommandLine.arguments[0], json: arguments[0], scratch: arguments[1], floor: arguments[2],
            plan: plan)
        if try !comparison.run() { exit(1) }
    } else {
        print("usage: bench-network JSON SCRATCH FLOOR [--quick] [--peer NAME=PROGRAM]… [WORDS…]")
        exit(2)
    }
} catch {
    print("bench-network: \(error)")
    exit(1)
}
