import SwiftSyntax

/// Finds the places of a file where a fault can be planted.
///
/// Every fault is a call around code that stays as it is, so that faults can lie within each other and all of them compile once. What
/// cannot be written like that is left out: patterns, attributes, code under `#if`, and checks that stop the program.
final class FaultFinder: SyntaxVisitor {
    private(set) var faults: [Fault] = []
    private(set) var edits = Edits()
    private let path: String
    private let first: Int
    private let without: Set<Int>
    private let converter: SourceLocationConverter
    /// The return types of the functions around the place, where they are written.
    private var returnTypes: [String?] = []
    private var initialisers = 0
    /// How often the same was noted already.
    private var seen: [[String]: Int] = [:]

    /// - Parameters:
    ///   - first: The number of the first fault.
    ///   - without: Faults that keep their number and are not planted.
    init(_ tree: SourceFileSyntax, path: String, first: Int, without: Set<Int>) {
        (self.path, self.first, self.without) = (path, first, without)
        converter = SourceLocationConverter(fileName: path, tree: tree)
        super.init(viewMode: .sourceAccurate)
    }

    // MARK: Faults

    private func note(_ kind: Fault.Kind, at node: some SyntaxProtocol) -> Int? {
        let number = first + faults.count
        let place = converter.location(for: node.positionAfterSkippingLeadingTrivia)
        let code = node.trimmedDescription.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let function = namesAround(node)
        let nth = seen[[function, kind.rawValue, code], default: 0]
        seen[[function, kind.rawValue, code]] = nth + 1
        faults.append(
            Fault(
                number: number, file: path, line: place.line, function: function, kind: kind,
                code: String(code.prefix(120)), nth: nth))
        return without.contains(number) ? nil : number
    }

    private func range(_ node: some SyntaxProtocol) -> Range<Int> {
        node.positionAfterSkippingLeadingTrivia.utf8Offset..<node.endPositionBeforeTrailingTrivia.utf8Offset
    }

    private func wrap(_ node: some SyntaxProtocol, _ kind: Fault.Kind, in function: String) {
        if let number = note(kind, at: node) { edits.wrap(range(node), in: "\(function)(\(number), ", ")") }
    }

    // MARK: Expressions

    private static let infixes: [String: (Fault.Kind, String)] = [
        "<": (.boundary, "mutantBelow"), "<=": (.boundary, "mutantAtMost"), ">": (.boundary, "mutantAbove"),
        ">=": (.boundary, "mutantAtLeast"), "+": (.sign, "mutantPlus"), "-": (.sign, "mutantMinus"),
        "&&": (.swapped, "mutantAnd"), "||": (.swapped, "mutantOr"),
    ]

    override func visit(_ node: InfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
        guard let token = node.operator.as(BinaryOperatorExprSyntax.self),
            // Tuples are compared by functions of their own.
            node.leftOperand.as(TupleExprSyntax.self)?.elements.count ?? 1 == 1
        else { return .visitChildren }
        if ["==", "!=", "===", "!=="].contains(token.operator.text) {
            wrap(node, .negated, in: "mutantNot")
        } else if let (kind, function) = Self.infixes[token.operator.text], let number = note(kind, at: node) {
            edits.wrap(range(node), in: "\(function)(\(number), ", ")")
            edits.replace(range(token), by: ",")
        }
        return .visitChildren
    }

    override func visit(_ node: ConditionElementSyntax) -> SyntaxVisitorContinueKind {
        if case .expression(let expression) = node.condition { negate(expression) }
        return .visitChildren
    }

    override func visit(_ node: TernaryExprSyntax) -> SyntaxVisitorContinueKind {
        negate(node.condition)
        return .visitChildren
    }

    /// Negates a condition, unless that is what becomes of a comparison in it anyway.
    private func negate(_ condition: ExprSyntax) {
        if condition.is(BooleanLiteralExprSyntax.self) { return }
        if let infix = condition.as(InfixOperatorExprSyntax.self),
            let token = infix.operator.as(BinaryOperatorExprSyntax.self),
            ["==", "!=", "===", "!=="].contains(token.operator.text)
        {
            return
        }
        wrap(condition, .negated, in: "mutantNot")
    }

    override func visit(_ node: IntegerLiteralExprSyntax) -> SyntaxVisitorContinueKind {
        if !isFixed(node) { wrap(node, .constant, in: "mutantOff") }
        return .skipChildren
    }

    override func visit(_ node: BooleanLiteralExprSyntax) -> SyntaxVisitorContinueKind {
        if !isFixed(node), node.parent?.is(ConditionElementSyntax.self) != true {
            wrap(node, .negated, in: "mutantNot")
        }
        return .skipChildren
    }

    /// Whether a literal stands where only a literal can.
    private func isFixed(_ node: some SyntaxProtocol) -> Bool {
        var parent = node.parent
        while let place = parent, !place.is(CodeBlockItemSyntax.self) {
            if place.is(ExpressionPatternSyntax.self) || place.is(EnumCaseElementSyntax.self)
                || place.is(AttributeSyntax.self) || place.is(GenericArgumentSyntax.self)
            {
                return true
            }
            parent = place.parent
        }
        return false
    }

    override func visit(_ node: ArrayExprSyntax) -> SyntaxVisitorContinueKind {
        // The compiler gives up on a table of calls.
        node.elements.count > 8 ? .skipChildren : .visitChildren
    }

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        if Self.checks.contains(node.calledExpression.trimmedDescription) || isHint(node) { return .skipChildren }
        guard let callee = node.calledExpression.as(DeclReferenceExprSyntax.self), node.arguments.count == 2,
            node.arguments.allSatisfy({ $0.label == nil }),
            let function = ["min": "mutantMin", "max": "mutantMax"][callee.baseName.text],
            let number = note(.swapped, at: node), let argument = node.arguments.first
        else { return .visitChildren }
        let start = argument.positionAfterSkippingLeadingTrivia.utf8Offset
        edits.replace(range(callee), by: function)
        edits.wrap(start..<start, in: "\(number), ", "")
        return .visitChildren
    }

    override func visit(_ node: LabeledExprSyntax) -> SyntaxVisitorContinueKind {
        ["minimumCapacity", "keepingCapacity"].contains(node.label?.text) ? .skipChildren : .visitChildren
    }

    // MARK: Statements

    override func visit(_ node: CodeBlockItemSyntax) -> SyntaxVisitorContinueKind {
        if initialisers == 0, case .expr(let expression) = node.item, isStatement(expression), !isResult(node),
            let number = note(.deleted, at: expression)
        {
            edits.wrap(range(expression), in: "if !mutantIs(\(number)) { ", " }")
        }
        if case .expr(let expression) = node.item, isResult(node), isImplicitReturn(node) { changeResult(expression) }
        return .visitChildren
    }

    override func visit(_ node: ReturnStmtSyntax) -> SyntaxVisitorContinueKind {
        if let expression = node.expression { changeResult(expression) }
        return .visitChildren
    }

    private func changeResult(_ expression: ExprSyntax) {
        guard let type = returnTypes.last ?? nil else { return }
        if type == "Bool" {
            if !expression.is(BooleanLiteralExprSyntax.self) { negate(expression) }
        } else if type.hasSuffix("?") {
            if !expression.is(NilLiteralExprSyntax.self) { wrap(expression, .returnsNone, in: "mutantNil") }
        } else if type.hasSuffix("Demand") {
            if expression.trimmedDescription != ".none" { wrap(expression, .returnsNone, in: "mutantNone") }
        }
    }

    private func returnEarly(_ body: CodeBlockSyntax?, returning type: String?) {
        guard type == nil, let body, body.statements.count > 1, let statement = body.statements.first,
            let number = note(.returnsEarly, at: statement)
        else { return }
        let start = statement.positionAfterSkippingLeadingTrivia.utf8Offset
        edits.wrap(start..<start, in: "if mutantIs(\(number)) { return }; ", "")
    }

    // MARK: Where we are

    private static let unseen: Set = [
        "description", "debugDescription", "customMirror", "playgroundDescription", "errorDescription",
    ]

    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
        let type = node.signature.returnClause?.type.trimmedDescription
        returnTypes.append(type)
        if node.name.text == "hash" { return .skipChildren }
        returnEarly(node.body, returning: type)
        return .visitChildren
    }

    override func visitPost(_ node: FunctionDeclSyntax) { returnTypes.removeLast() }

    override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
        let binding = node.bindings.first
        returnTypes.append(binding?.accessorBlock == nil ? nil : binding?.typeAnnotation?.type.trimmedDescription)
        let name = binding?.pattern.as(IdentifierPatternSyntax.self)?.identifier.text ?? ""
        return Self.unseen.contains(name) ? .skipChildren : .visitChildren
    }

    override func visitPost(_ node: VariableDeclSyntax) { returnTypes.removeLast() }

    override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind {
        returnTypes.append(node.signature?.returnClause?.type.trimmedDescription)
        return .visitChildren
    }

    override func visitPost(_ node: ClosureExprSyntax) { returnTypes.removeLast() }

    override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
        initialisers += 1
        return .visitChildren
    }

    override func visitPost(_ node: InitializerDeclSyntax) { initialisers -= 1 }

    override func visit(_ node: IfConfigDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: AttributeSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: MacroExpansionExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: EnumCaseDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: SwitchCaseLabelSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
}
