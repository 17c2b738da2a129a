import BenchPictures
import ChildProcess
import Glibc
import ImageCodecs

// bench-png-sizes JSON DATA SCRIPT
//
// How large the same pixels become as PNG files: ours, reduced and not, beside Pillow's at the same zlib levels and with
// `optimize=True`, and what pngcrush, optipng and zopflipng make of the file that is not reduced, where they are
// installed. The pictures are those of DATA (PngSuite, a corpus, photos), as far as it is there, and made ones: screenshots, scans,
// icons. SCRIPT is pillow-sizes.py. Pillow is given the file as it was found, with its palette; files of 16-bit
// colours, which it reads as 8, are left out.
//
// Ends with 1 when one file is larger than the same that is not reduced, or a sum larger than Pillow's: at level 6 than
// that at level 6, at level 9 than that with `optimize=True`.

do {
    guard CommandLine.arguments.count == 4 else {
        print("usage: bench-png-sizes JSON DATA SCRIPT")
        exit(2)
    }
    let sizes = PNGSizes(
        json: CommandLine.arguments[1], data: CommandLine.arguments[2], script: CommandLine.arguments[3])
    if try !sizes.run() { exit(1) }
} catch {
    print("bench-png-sizes: \(error)")
    exit(1)
}
