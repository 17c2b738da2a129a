import ImagePipeline
import StreamsTesting
import Testing

@Suite("The admission queue")
struct AdmissionQueueTests {
    private enum Step {
        case append(Int, String?, LoadPriority.Level)
        case admit
        case remove(Int)
        case setLevel(Int, LoadPriority.Level)
        case setResting(Int, Bool)
    }

    /// The same decisions, made by looking through everybody.
    private struct Model {
        let limit: Int
        let perGroup: Int
        let resting: Int
        var waiting: [(id: Int, group: String?, level: LoadPriority.Level)] = []
        var admitted: [(id: Int, group: String?, isResting: Bool)] = []

        mutating func admit() -> Int? {
            guard admitted.count(where: { !$0.isResting }) < limit, admitted.count < limit + resting else {
                return nil
            }
            // Beyond the limit a group that has something gets a quarter of what is left.
            let rest = limit + resting - admitted.count
            let share = admitted.count < limit ? perGroup : min(perGroup, max(1, rest / 4))
            let open = waiting.indices.filter { index in
                let group = waiting[index].group
                return group == nil || admitted.count { $0.group == group } < share
            }
            // The first of the highest level.
            guard
                let best = open.min(by: {
                    waiting[$0].level == waiting[$1].level ? $0 < $1 : waiting[$0].level > waiting[$1].level
                })
            else { return nil }
            let chosen = waiting.remove(at: best)
            admitted.append((chosen.id, chosen.group, false))
            return chosen.id
        }
    }

    private static let steps = Gen<[Step]> { choices in
        (0..<choices.int(in: 0...80)).map { _ in
            let id = choices.int(in: 0...25)
            let level = LoadPriority.Level.allCases[choices.int(in: 0...2)]
            switch choices.int(in: 0...8) {
            case 0...2: return .append(id, ["a", "b", "c", nil][choices.int(in: 0...3)], level)
            case 3, 4: return .admit
            case 5: return .remove(id)
            case 6, 7: return .setResting(id, choices.int(in: 0...3) > 0)
            default: return .setLevel(id, level)
            }
        }
    }

    @Test(
        "Admits whom a plain search would: by priority, then by arrival, within all limits",
        arguments: [(4, 2, 0), (4, 3, 9), (1, 5, 13), (8, 8, 3)])
    func model(limit: Int, perGroup: Int, resting: Int) throws {
        try forAll("admission", Self.steps) { steps in
            var queue = AdmissionQueue<Int, String>(limit: limit, perGroup: perGroup, resting: resting)
            var model = Model(limit: limit, perGroup: perGroup, resting: resting)
            for step in steps {
                switch step {
                case .append(let id, let group, let level):
                    queue.append(id, to: group, level: level)
                    let isThere = model.waiting.contains { $0.id == id } || model.admitted.contains { $0.id == id }
                    if !isThere { model.waiting.append((id, group, level)) }
                case .admit:
                    let (found, wanted) = (queue.admit(), model.admit())
                    if found != wanted { throw Disproof("admits \(found.map(String.init) ?? "nobody")") }
                case .remove(let id):
                    let before = model.waiting.count + model.admitted.count
                    model.waiting.removeAll { $0.id == id }
                    model.admitted.removeAll { $0.id == id }
                    let wasThere = before > model.waiting.count + model.admitted.count
                    if queue.remove(id) != wasThere { throw Disproof("remove(\(id)) is wrong") }
                case .setResting(let id, let isResting):
                    queue.setResting(isResting, of: id)
                    for index in model.admitted.indices where model.admitted[index].id == id {
                        model.admitted[index].isResting = isResting
                    }
                case .setLevel(let id, let level):
                    queue.setLevel(level, of: id)
                    for index in model.waiting.indices where model.waiting[index].id == id {
                        model.waiting[index].level = level
                    }
                }
                if queue.waitingCount != model.waiting.count || queue.admittedCount != model.admitted.count {
                    throw Disproof("\(queue.waitingCount) wait, \(queue.admittedCount) are under way")
                }
            }
        }
    }
}
