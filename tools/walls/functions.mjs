// Functions that are too long to be read at once.
import ts from 'typescript-api'
import { DATA_FILES, MAX_FUNCTION_LINES } from './table.mjs'

/** A group of tests is a list, not a function that one follows. */
const GROUPS_OF_TESTS = /^(describe|suite)\b/

/**
 * What is wrong with the length of a function; undefined for nothing, and for any other node.
 * @param {string} path
 * @param {ts.Node} node
 * @param {ts.SourceFile} source
 */
export function checkFunction(path, node, source) {
  if (!ts.isFunctionLike(node) || !('body' in node) || !node.body || DATA_FILES.test(path)) return undefined
  const { parent } = node
  if (ts.isCallExpression(parent) && GROUPS_OF_TESTS.test(parent.expression.getText(source))) return undefined
  const lineOf = (/** @type {number} */ at) => source.getLineAndCharacterOfPosition(at).line
  const lines = lineOf(node.getEnd()) - lineOf(node.getStart(source)) + 1
  if (lines <= MAX_FUNCTION_LINES) return undefined
  return `is a function of ${lines} lines, more than ${MAX_FUNCTION_LINES}; take a step with a name of its own out of it, or move its table into a .data.ts file`
}
