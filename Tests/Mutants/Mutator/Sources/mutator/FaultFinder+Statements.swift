import SwiftSyntax

extension FaultFinder {
    static let checks: Set = [
        "precondition", "preconditionFailure", "fatalError", "assert", "assertionFailure",
    ]

    /// Whether a call only says how much room to make, or how long to keep an object: without the one memory grows as it is needed, and
    /// without the other an object that the optimiser lets go of sooner still lives as long, in a build that is not optimised.
    func isHint(_ call: FunctionCallExprSyntax) -> Bool {
        call.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.text == "reserveCapacity"
            || call.calledExpression.trimmedDescription == "withExtendedLifetime"
                && call.trailingClosure?.statements.isEmpty == true
    }

    func isStatement(_ expression: ExprSyntax) -> Bool {
        if let attempt = expression.as(TryExprSyntax.self) { return isStatement(attempt.expression) }
        if let wait = expression.as(AwaitExprSyntax.self) { return isStatement(wait.expression) }
        if let call = expression.as(FunctionCallExprSyntax.self) {
            return !Self.checks.contains(call.calledExpression.trimmedDescription) && !isHint(call)
        }
        guard let infix = expression.as(InfixOperatorExprSyntax.self) else { return false }
        if infix.operator.is(AssignmentExprSyntax.self) { return !isFirstValue(infix) }
        return infix.operator.as(BinaryOperatorExprSyntax.self).map { $0.operator.text.hasSuffix("=") } ?? false
    }

    /// Whether the item is all that a body has, and so may be its value.
    func isResult(_ node: CodeBlockItemSyntax) -> Bool {
        guard let list = node.parent?.as(CodeBlockItemListSyntax.self), list.count == 1 else { return false }
        guard let owner = list.parent else { return false }
        if owner.is(ClosureExprSyntax.self) || owner.is(AccessorBlockSyntax.self) { return true }
        if owner.is(SwitchCaseSyntax.self) {
            return owner.parent?.parent?.as(SwitchExprSyntax.self).map { isValue($0) } ?? false
        }
        guard owner.is(CodeBlockSyntax.self), let function = owner.parent else { return false }
        if let function = function.as(FunctionDeclSyntax.self) { return function.signature.returnClause != nil }
        if let accessor = function.as(AccessorDeclSyntax.self) {
            return accessor.accessorSpecifier.tokenKind == .keyword(.get)
        }
        return function.as(IfExprSyntax.self).map { isValue($0) } ?? false
    }

    /// Whether an `if` or a `switch` may be there for its value.
    func isValue(_ node: some ExprSyntaxProtocol) -> Bool {
        guard let parent = node.parent else { return false }
        if let outer = parent.as(IfExprSyntax.self) { return isValue(outer) }
        let item = parent.as(CodeBlockItemSyntax.self) ?? parent.parent?.as(CodeBlockItemSyntax.self)
        guard let item, parent.is(CodeBlockItemSyntax.self) || parent.is(ExpressionStmtSyntax.self) else { return true }
        return isResult(item)
    }

    func isImplicitReturn(_ node: CodeBlockItemSyntax) -> Bool {
        guard let owner = node.parent?.parent else { return false }
        if owner.is(AccessorBlockSyntax.self) { return true }
        guard owner.is(CodeBlockSyntax.self) else { return false }
        return owner.parent?.is(FunctionDeclSyntax.self) == true || owner.parent?.is(AccessorDeclSyntax.self) == true
    }
}
