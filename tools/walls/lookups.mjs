// Tables that any text may look up: an object also knows what it inherits, such as `constructor`.
import ts from 'typescript-api'

/**
 * What is wrong with a table of a file: typed for any text as a key, and written as an object. Undefined for nothing, and for any
 * other node.
 * @param {ts.Node} node
 */
export function checkLookup(node) {
  if (!ts.isVariableDeclaration(node) || !node.type || !node.initializer) return undefined
  const isOfFile = ts.isSourceFile(node.parent.parent.parent)
  const isTable = ts.isObjectLiteralExpression(node.initializer) && node.initializer.properties.length > 0
  if (!isOfFile || !isTable || !isOfAnyText(node.type)) return undefined
  return `is a table for any text as a key, which also finds \`constructor\`; make it byWord<…>({ … }) of @rookery/kernel/by-word.ts, or a Map`
}

/** `Record<string, …>`, as it is or in `Readonly<…>`. @param {ts.TypeNode} type @returns {boolean} */
function isOfAnyText(type) {
  if (!ts.isTypeReferenceNode(type) || !ts.isIdentifier(type.typeName)) return false
  const [first] = type.typeArguments ?? []
  if (type.typeName.text === 'Readonly') return first !== undefined && isOfAnyText(first)
  return type.typeName.text === 'Record' && first?.kind === ts.SyntaxKind.StringKeyword
}
