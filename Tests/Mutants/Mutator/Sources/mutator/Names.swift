import SwiftSyntax

/// The names of the types and of the function around a place, with dots between them.
func namesAround(_ place: some SyntaxProtocol) -> String {
    var names: [String] = []
    var parent = place.parent
    while let node = parent {
        if let name = declaredName(node) { names.append(name) }
        parent = node.parent
    }
    return names.reversed().joined(separator: ".")
}

private func declaredName(_ node: Syntax) -> String? {
    switch node.as(SyntaxEnum.self) {
    case .classDecl(let type): type.name.text
    case .structDecl(let type): type.name.text
    case .enumDecl(let type): type.name.text
    case .protocolDecl(let type): type.name.text
    case .actorDecl(let type): type.name.text
    case .extensionDecl(let type): type.extendedType.trimmedDescription
    case .functionDecl(let function): function.name.text
    case .initializerDecl: "init"
    case .deinitializerDecl: "deinit"
    case .subscriptDecl: "subscript"
    // A local one is not worth a name.
    case .variableDecl(let variable) where node.parent?.is(MemberBlockItemSyntax.self) == true:
        variable.bindings.first?.pattern.as(IdentifierPatternSyntax.self)?.identifier.text
    default: nil
    }
}

/// Whether an assignment may be the one that gives a local variable its first value, without which nothing compiles.
func isFirstValue(_ assignment: InfixOperatorExprSyntax) -> Bool {
    guard let name = assignment.leftOperand.as(DeclReferenceExprSyntax.self)?.baseName.text else { return false }
    var parent = assignment.parent
    while let node = parent {
        for item in node.as(CodeBlockItemListSyntax.self) ?? [] {
            guard let variable = item.item.as(VariableDeclSyntax.self) else { continue }
            for binding in variable.bindings where binding.initializer == nil && binding.accessorBlock == nil {
                if binding.pattern.trimmedDescription == name { return true }
            }
        }
        parent = node.parent
    }
    return false
}
