import Streams
import StreamsTesting
import Testing

@Suite("Objects that publish their changes")
struct ObservableObjectTests {
    private class Plain: ObservableObject {
        var name = "" { willSet { objectWillChange.send() } }
    }

    private final class Heir: Plain {}

    @Test("An object without published properties has one publisher, which sends when it is told to")
    func objectWithoutPublished() {
        let (first, second) = (Plain(), Heir())
        #expect(first.objectWillChange === first.objectWillChange)
        #expect(first.objectWillChange !== second.objectWillChange)
        let changes = Recorded<[String]>([])
        let cancellable = second.objectWillChange.sink { changes.update { $0.append("change") } }
        second.name = "a"
        first.name = "b"
        (second as Plain).name = "c"
        #expect(changes.value == ["change", "change"])
        cancellable.cancel()
        second.name = "d"
        #expect(changes.value.count == 2)
    }

    @Test("The publishers of such objects go after them, and an object in one's place has its own")
    func objectsThatGo() {
        weak var gone: ObservableObjectPublisher?
        do {
            let object = Plain()
            gone = object.objectWillChange
            #expect(gone != nil)
        }
        let heard = Counter()
        // Many have the place in memory of one before; all are kept at once at last, so that the table is looked through.
        var kept: [Plain] = []
        for index in 0..<1_000 {
            let object = Plain()
            let before = heard.count
            let cancellable = object.objectWillChange.sink { heard.increment() }
            object.name = "\(index)"
            #expect(heard.count == before + 1)
            cancellable.cancel()
            if index >= 900 { kept.append(object) }
        }
        #expect(gone == nil)
        #expect(kept.allSatisfy { $0.objectWillChange === $0.objectWillChange })
    }
}
