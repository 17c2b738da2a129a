import Figures
import Foundation

// records [--json FILE]: plays a week of a sports diary and checks how often the server is called. Ends with 1 where that is not
// as often as it should be.
func play() async throws -> Int32 {
    let directory = ScratchFolder.orExit("records")
    var story = Story(directory: directory.path)
    return try await story.run().report()
}
exit(try await play())
