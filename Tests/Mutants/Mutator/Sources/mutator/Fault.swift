/// A fault that can be woken: where it is, and what it does there.
struct Fault: Encodable {
    enum Kind: String, Encodable {
        case negated, boundary, sign, constant, deleted, returnsEarly, returnsNone, swapped
    }

    /// The number by which it is woken.
    let number: Int
    let file: String
    let line: Int
    /// The types and the function around it, with dots between them.
    let function: String
    let kind: Kind
    /// The code that it changes, on one line.
    let code: String
    /// How many faults of this kind in the same code of the same function come before it.
    let nth: Int
}
