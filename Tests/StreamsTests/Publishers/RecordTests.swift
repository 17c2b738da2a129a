import Streams
import Testing

@Suite("A recording")
struct RecordTests {
    @Test("One that has its end takes neither a value nor another end")
    func hasEnded() async {
        await #expect(processExitsWith: .success) {
            var recording = Record<Int, Never>.Recording()
            recording.receive(1)
            recording.receive(completion: .finished)
        }
        await #expect(processExitsWith: .failure) {
            var recording = Record<Int, Never>.Recording()
            recording.receive(completion: .finished)
            recording.receive(1)
        }
        await #expect(processExitsWith: .failure) {
            var recording = Record<Int, Never>.Recording()
            recording.receive(completion: .finished)
            recording.receive(completion: .finished)
        }
    }
}
