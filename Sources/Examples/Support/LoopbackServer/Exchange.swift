/// The answer to one request under way: the steps that are left, and how far the present one has come.
struct Exchange {
    let id: Int
    let path: String
    var pacer: Pacer?
    private var steps: ArraySlice<ReplyScript.Step>
    private var offset = 0

    init(id: Int, path: String, script: ReplyScript) {
        self.id = id
        self.path = path
        steps = script.steps[...]
    }

    var step: ReplyScript.Step? { steps.first }

    /// What is left of the step's bytes.
    func rest(of bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> { bytes.dropFirst(offset) }

    mutating func sent(_ count: Int, of bytes: ArraySlice<UInt8>) {
        pacer?.count(count)
        offset += count
        if offset >= bytes.count { nextStep() }
    }

    mutating func nextStep() {
        steps.removeFirst()
        offset = 0
    }
}
