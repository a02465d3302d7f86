// The bounds that the sources declare by name, as a page.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript-api'
import { root } from '../clone.mjs'
import { code, page, table, type Page } from './markdown.ts'

interface DeclaredLimit {
  readonly name: string
  readonly max: string
  /** Its comment, on one line. */
  readonly about: string
  readonly path: string
}

export const limitsPage = (): Page =>
  page('limits.md', 'Limits', 'How much of each thing there may be.', [
    'Each limit has a name. `/metrics` counts under it how often the limit refused something or pushed something out (see [Metrics](../metrics.md)). A number that an option sets is the default here (see [Options](options.md)).',
    table(
      ['Limit', 'Number', 'About', 'Declared in'],
      limitsOf(root).map(({ name, max, about, path }) => [code(name), max, about, code(path)]),
    ),
  ])

/** Of the clone at `folder`, by name. */
export const limitsOf = (folder: string): DeclaredLimit[] =>
  readdirSync(join(folder, 'packages'))
    .flatMap((name) => sourcesOf(folder, `packages/${name}/src`))
    .flatMap((path) => limitsIn(path, readFileSync(join(folder, path), 'utf8')))
    .sort((a, b) => (a.name < b.name ? -1 : 1))

const sourcesOf = (folder: string, below: string): string[] =>
  readdirSync(join(folder, below), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !/\.(test|gen)\.ts$/.test(name))
    .map((name) => `${below}/${name.replaceAll('\\', '/')}`)

/** The calls of `limit('name', number)` in a source. */
export function limitsIn(path: string, text: string): DeclaredLimit[] {
  if (!/\blimit\(/.test(text)) return []
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const found: DeclaredLimit[] = []
  const look = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && node.expression.getText() === 'limit') {
      const [name, max] = node.arguments
      if (name && max && ts.isStringLiteral(name))
        found.push({ name: name.text, max: numberText(max, file), about: commentOf(node), path })
    }
    ts.forEachChild(node, look)
  }
  look(file)
  return found
}

/** A number with its thousands apart; what is no number here, as it is written. */
function numberText(expression: ts.Expression, file: ts.SourceFile): string {
  const value = numberOf(expression, file)
  return value === undefined ? code(expression.getText()) : value.toLocaleString('en-US')
}

function numberOf(expression: ts.Expression, file: ts.SourceFile): number | undefined {
  if (ts.isNumericLiteral(expression)) return Number(expression.text)
  if (ts.isParenthesizedExpression(expression)) return numberOf(expression.expression, file)
  if (ts.isIdentifier(expression)) {
    const initializer = file.statements
      .filter(ts.isVariableStatement)
      .flatMap(({ declarationList }) => [...declarationList.declarations])
      .find(({ name }) => name.getText() === expression.text)?.initializer
    return initializer && numberOf(initializer, file)
  }
  if (!ts.isBinaryExpression(expression)) return undefined
  const [left, right] = [numberOf(expression.left, file), numberOf(expression.right, file)]
  if (left === undefined || right === undefined) return undefined
  if (expression.operatorToken.kind === ts.SyntaxKind.AsteriskToken) return left * right
  return expression.operatorToken.kind === ts.SyntaxKind.PlusToken ? left + right : undefined
}

/** Of the member or the declaration that a call stands in. */
function commentOf(call: ts.Node): string {
  const declaration = ts.findAncestor(
    call,
    (node) => ts.isPropertyAssignment(node) || ts.isVariableStatement(node),
  )
  return ts
    .getJSDocCommentsAndTags(declaration ?? call)
    .filter(ts.isJSDoc)
    .map(({ comment }) => ts.getTextOfJSDocComment(comment) ?? '')
    .join(' ')
    .replace(/\s+/g, ' ')
}
