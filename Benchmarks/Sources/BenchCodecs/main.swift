import ChildProcess
import Glibc
import ImageCodecs

// bench-codecs FLOOR-FOLDER JSON PHOTOS [WORDS…]
//
// FIELD.md's table of goals for codecs: thumbnails made in process, beside the C library's bare decode (the floor), libvips
// and Pillow, as far as they were there to be built against. Each subject is a process of its own that decodes a file from
// memory again and again and prints the least CPU time and how far its peak memory grew; they take turns. Quality is
// measured against a full decode reduced by a Lanczos filter in double precision. PHOTOS is a folder; what it does not have
// is made. With WORDS only the cases are run whose names have them all.
//
// bench-codecs --decode FILE TARGET REPETITIONS OUT.ppm [--every-scan | --first-picture]
//
// is one such subject: this library.
//
// bench-codecs --hostile DATA SCRATCH
//
// decodes damaged files and bombs under the default limits, each in a process of its own (--decode-once FILE SIDE), and
// ends with 1 when one of them takes more than a second or 64 MB. DATA is the folder that has the corpora.
//
// bench-codecs --quality FLOOR-FOLDER JSON PHOTOS [--quick] [--before PROGRAM] [WORDS…]
//
// is the quality table: thumbnails of pictures of many kinds at many ratios, beside what they should be, beside the peers', and
// beside those that another build of this program makes, and how long it takes. Ends with 1 when one of them is less than it should be.
//
// bench-codecs --page FLOOR-FOLDER PAGE.html
//
// writes a page of thumbnails to look at.

let arguments = CommandLine.arguments
do {
    if arguments.count >= 6, arguments[1] == "--decode" {
        try DecodeSubject(words: Array(arguments.dropFirst(2))).run()
    } else if arguments.count == 4, arguments[1] == "--decode-once" {
        try Hostile.decodeOnce(arguments[2], side: Int(arguments[3]) ?? 0)
    } else if arguments.count == 4, arguments[1] == "--hostile" {
        if try !Hostile(program: arguments[0], data: arguments[2], scratch: arguments[3]).run() { exit(1) }
    } else if arguments.count == 4, arguments[1] == "--page" {
        try PicturePage(floors: arguments[2], page: arguments[3]).run()
    } else if arguments.count >= 5, arguments[1] == "--quality" {
        var words = Array(arguments.dropFirst(5))
        let isQuick = words.contains("--quick")
        words.removeAll { $0 == "--quick" }
        var before: String?
        if let option = words.firstIndex(of: "--before"), option + 1 < words.count {
            before = words[option + 1]
            words.removeSubrange(option...(option + 1))
        }
        let table = QualityTable(
            program: arguments[0], floors: arguments[2], json: arguments[3], photos: arguments[4], isQuick: isQuick,
            before: before, words: words)
        if try !table.run() { exit(1) }
    } else if arguments.count >= 4 {
        let comparison = Comparison(
            program: arguments[0], floors: arguments[1], json: arguments[2],
            photos: arguments[3], words: Array(arguments.dropFirst(4)))
        if try !comparison.run() { exit(1) }
    } else {
        print("usage: bench-codecs FLOOR-FOLDER JSON PHOTOS [WORDS…]")
        exit(2)
    }
} catch {
    print("bench-codecs: \(error)")
    exit(1)
}
