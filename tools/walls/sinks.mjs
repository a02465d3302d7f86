// The page shows what an intruder wrote: as text. Ways to make text into markup, code or an address are refused in it.
import ts from 'typescript-api'

const SINKS = new Set([
  'innerHTML',
  'outerHTML',
  'insertAdjacentHTML',
  'dangerouslySetInnerHTML',
  'srcdoc',
  'srcDoc',
  'parseFromString',
  'setHTMLUnsafe',
  'createContextualFragment',
  'createPolicy',
])
const ADDRESSES = new Set(['href', 'src', 'action', 'formAction', 'xlinkHref', 'data'])

/**
 * What is wrong with a node of the page's source.
 * @param {string} path
 * @param {ts.Node} node
 * @returns {string | undefined}
 */
export function checkSink(path, node) {
  if (!/^packages\/web\/src\//.test(path)) return undefined
  const name = nameOf(node)
  if (name !== undefined && SINKS.has(name))
    return `${name} makes markup or code of text; show text by <Evidence>`
  if (ts.isPropertyAccessExpression(node) && /^document\.write(ln)?$/.test(node.getText()))
    return 'document.write makes markup of text; show text by <Evidence>'
  if (!ts.isJsxAttribute(node) || !ADDRESSES.has(node.name.getText())) return undefined
  const { initializer } = node
  const isFixed = initializer === undefined || ts.isStringLiteral(initializer)
  const given = isFixed ? '' : initializer.getText().slice(1, -1).trim()
  return isFixed || /^links\./.test(given)
    ? undefined
    : `${node.name.getText()} from data; links.ts is the one place that builds addresses`
}

/** @param {ts.Node} node */
function nameOf(node) {
  if (ts.isPropertyAccessExpression(node)) return node.name.text
  if (ts.isElementAccessExpression(node) && ts.isStringLiteralLike(node.argumentExpression))
    return node.argumentExpression.text
  if (ts.isJsxAttribute(node)) return node.name.getText()
  const isProperty = ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node)
  return isProperty && (ts.isIdentifier(node.name) || ts.isStringLiteral(node.name))
    ? node.name.text
    : undefined
}
