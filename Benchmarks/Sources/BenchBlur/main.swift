import ChildProcess
import Glibc
import ImageCodecs

// bench-blur JSON SCRATCH [PYTHON PEER]
//
// `Processors.Blur` of a picture of three megapixels at many sigmas, beside Pillow's GaussianBlur where it is there: the least
// CPU time, how far the peak of memory grows (the blurred picture included), and of a smaller picture the worst error against
// a Gaussian in doubles. Ends with 1 when a sample is off by more than one step, or when the blur takes more than 1.5 × Pillow's
// time.
//
// bench-blur --blur MODE WIDTH HEIGHT SIGMA REPETITIONS RAW OUT
//
// is one such subject: this library.

let arguments = CommandLine.arguments
do {
    if arguments.count == 9, arguments[1] == "--blur" {
        try BlurSubject(words: Array(arguments.dropFirst(2))).run()
    } else if arguments.count >= 3 {
        let peer = arguments.count >= 5 ? [arguments[3], arguments[4]] : nil
        let comparison = BlurComparison(
            program: arguments[0], json: arguments[1], scratch: arguments[2], peer: peer)
        if try !comparison.run() { exit(1) }
    } else {
        print("usage: bench-blur JSON SCRATCH [PYTHON PEER]")
        exit(2)
    }
} catch {
    print("bench-blur: \(error)")
    exit(1)
}
