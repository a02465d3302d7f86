// Expressions of Lua (reference manual 5.1, sections 2.5 and 8).
import {
  accept,
  advance,
  isNext,
  nested,
  peek,
  syntaxFault,
  take,
  takeMatch,
  takeName,
  type Parser,
} from './token-reader.ts'
import { resolve, type Scope } from './scope.ts'
import type { BinaryOperator, Expression } from './syntax.ts'

/** How strongly an operator binds to its left and to its right. */
const PRIORITIES: Readonly<Record<BinaryOperator | 'and' | 'or', readonly [left: number, right: number]>> = {
  or: [1, 1],
  and: [2, 2],
  '<': [3, 3],
  '>': [3, 3],
  '<=': [3, 3],
  '>=': [3, 3],
  '~=': [3, 3],
  '==': [3, 3],
  '..': [5, 4],
  '+': [6, 6],
  '-': [6, 6],
  '*': [7, 7],
  '/': [7, 7],
  '%': [7, 7],
  '^': [10, 9],
}
const UNARY_PRIORITY = 8

const isOperator = (text: string): text is keyof typeof PRIORITIES => Object.hasOwn(PRIORITIES, text)

export function parseExpressions(parser: Parser, scope: Scope): Expression[] {
  const found = [parseExpression(parser, scope)]
  while (accept(parser, ',')) found.push(parseExpression(parser, scope))
  return found
}

export const parseExpression = (parser: Parser, scope: Scope): Expression => parseOperation(parser, scope, 0)

function parseOperation(parser: Parser, scope: Scope, priority: number): Expression {
  return nested(parser, () => {
    let left = parseUnary(parser, scope)
    for (;;) {
      const { text, kind, line } = peek(parser)
      if ((kind !== 'symbol' && kind !== 'keyword') || !isOperator(text)) return left
      const [leftPriority, rightPriority] = PRIORITIES[text]
      if (leftPriority <= priority) return left
      parser.at += 1
      const right = parseOperation(parser, scope, rightPriority)
      left =
        text === 'and' || text === 'or'
          ? { kind: text, left, right, line }
          : { kind: 'binary', operator: text, left, right, line }
    }
  })
}

function parseUnary(parser: Parser, scope: Scope): Expression {
  const { line } = peek(parser)
  for (const operator of ['not', '-', '#'] as const) {
    if (accept(parser, operator))
      return { kind: 'unary', operator, operand: parseOperation(parser, scope, UNARY_PRIORITY), line }
  }
  return parseSimple(parser, scope)
}

const CONSTANTS: ReadonlyMap<string, undefined | boolean> = new Map([
  ['nil', undefined],
  ['true', true],
  ['false', false],
])

function parseSimple(parser: Parser, scope: Scope): Expression {
  const { kind, text, number, line } = peek(parser)
  if (kind === 'number' || kind === 'text') {
    parser.at += 1
    return { kind: 'constant', value: number ?? text, line }
  }
  if (kind === 'keyword' && CONSTANTS.has(text)) {
    parser.at += 1
    return { kind: 'constant', value: CONSTANTS.get(text), line }
  }
  if (accept(parser, '...')) {
    if (scope.hasVarargs) return { kind: 'varargs', line }
    parser.at -= 1
    throw syntaxFault(parser, "cannot use '...' outside a vararg function")
  }
  if (isNext(parser, '{')) return parseTable(parser, scope)
  if (accept(parser, 'function'))
    return { kind: 'function', body: parser.functionBody(parser, scope, line), line }
  return parsePrimary(parser, scope)
}

/** A name or a parenthesis, and what is read or called of it. */
export function parsePrimary(parser: Parser, scope: Scope): Expression {
  let found = parsePrefix(parser, scope)
  for (;;) {
    const { line } = peek(parser)
    if (accept(parser, '.')) {
      found = { kind: 'index', object: found, key: { kind: 'constant', value: takeName(parser), line }, line }
    } else if (accept(parser, '[')) {
      const key = parseExpression(parser, scope)
      take(parser, ']')
      found = { kind: 'index', object: found, key, line }
    } else if (accept(parser, ':')) {
      const name = takeName(parser)
      found = { kind: 'method', object: found, name, args: parseArguments(parser, scope), line }
    } else if (isNext(parser, '(') || isNext(parser, '{') || peek(parser).kind === 'text') {
      found = { kind: 'call', callee: found, args: parseArguments(parser, scope), line }
    } else return found
  }
}

function parsePrefix(parser: Parser, scope: Scope): Expression {
  const { kind, line, text } = peek(parser)
  if (kind === 'name') {
    parser.at += 1
    return { ...resolve(scope, text), line }
  }
  if (!accept(parser, '(')) throw syntaxFault(parser, 'unexpected symbol')
  const inner = parseExpression(parser, scope)
  takeMatch(parser, ')', '(', line)
  return { kind: 'parentheses', inner, line }
}

function parseArguments(parser: Parser, scope: Scope): Expression[] {
  const { kind, text, line } = peek(parser)
  if (kind === 'text') {
    parser.at += 1
    return [{ kind: 'constant', value: text, line }]
  }
  if (isNext(parser, '{')) return [parseTable(parser, scope)]
  if (!isNext(parser, '(')) throw syntaxFault(parser, 'function arguments expected')
  const before = parser.tokens[parser.at - 1]
  if (before && before.line !== line)
    throw syntaxFault(parser, 'ambiguous syntax (function call x new statement)')
  parser.at += 1
  if (accept(parser, ')')) return []
  const args = parseExpressions(parser, scope)
  takeMatch(parser, ')', '(', line)
  return args
}

function parseTable(parser: Parser, scope: Scope): Expression {
  const { line } = advance(parser)
  const fields: { key: Expression | undefined; value: Expression }[] = []
  while (!isNext(parser, '}')) {
    fields.push(parseField(parser, scope))
    if (!accept(parser, ',') && !accept(parser, ';')) break
  }
  takeMatch(parser, '}', '{', line)
  return { kind: 'table', fields, line }
}

function parseField(parser: Parser, scope: Scope): { key: Expression | undefined; value: Expression } {
  const { kind, line, text } = peek(parser)
  const behind = parser.tokens[parser.at + 1]
  let key: Expression | undefined
  if (kind === 'name' && behind?.kind === 'symbol' && behind.text === '=') {
    parser.at += 1
    key = { kind: 'constant', value: text, line }
  } else if (accept(parser, '[')) {
    key = parseExpression(parser, scope)
    take(parser, ']')
  }
  if (key) take(parser, '=')
  return { key, value: parseExpression(parser, scope) }
}
