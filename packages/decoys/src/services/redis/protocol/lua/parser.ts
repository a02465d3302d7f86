// Reads a Lua script (reference manual 5.1, section 8), and refuses it in the words of Lua 5.1.
import type { LineWork } from '../../../../session/line-work.ts'
import { tokenize } from './lexer.ts'
import { parseExpression, parseExpressions, parsePrimary } from './expression-parser.ts'
import { bodyOf, declare, inBlock, openScope, resolve, type Scope } from './scope.ts'
import type { Block, Expression, FunctionBody, Statement } from './syntax.ts'
import {
  accept,
  advance,
  expected,
  isNext,
  nested,
  peek,
  syntaxFault,
  take,
  takeMatch,
  takeName,
  type Parser,
} from './token-reader.ts'

/** To split off a word, and to find its place in the tree. */
const TOKEN_WORK = 20

/** `chunk` stands in front of errors: `user_script`. */
export function parseScript(script: string, chunk: string, spend: LineWork['spend']): FunctionBody {
  const tokens = tokenize(script, chunk)
  spend(tokens.length * TOKEN_WORK)
  const parser: Parser = {
    functionBody: parseFunctionBody,
    tokens,
    chunk,
    at: 0,
    depth: 0,
  }
  const scope = openScope(undefined, true)
  const body = parseBlock(parser, scope)
  if (peek(parser).kind !== 'end') throw expected(parser, '<eof>')
  return bodyOf(scope, [], body)
}

function parseBlock(parser: Parser, scope: Scope): Block {
  return inBlock(scope, () => parseStatements(parser, scope))
}

function parseStatements(parser: Parser, scope: Scope): Statement[] {
  const statements: Statement[] = []
  while (!isBlockEnd(parser)) {
    const statement = nested(parser, () => parseStatement(parser, scope))
    statements.push(statement)
    accept(parser, ';')
    if (statement.kind === 'return' || statement.kind === 'break') break
  }
  return statements
}

const isBlockEnd = (parser: Parser): boolean =>
  peek(parser).kind === 'end' || ['else', 'elseif', 'end', 'until'].some((word) => isNext(parser, word))

function parseStatement(parser: Parser, scope: Scope): Statement {
  const { line, kind, text } = peek(parser)
  if (kind !== 'keyword') return parseExpressionStatement(parser, scope)
  switch (text) {
    case 'if':
      return parseIf(parser, scope)
    case 'while':
      return parseWhile(parser, scope)
    case 'do': {
      parser.at += 1
      const body = parseBlock(parser, scope)
      takeMatch(parser, 'end', 'do', line)
      return { kind: 'do', body, line }
    }
    case 'for':
      return parseFor(parser, scope)
    case 'repeat':
      return parseRepeat(parser, scope)
    case 'function':
      return parseFunctionStatement(parser, scope)
    case 'local':
      parser.at += 1
      return accept(parser, 'function')
        ? parseLocalFunction(parser, scope, line)
        : parseLocal(parser, scope, line)
    case 'return':
      return parseReturn(parser, scope)
    case 'break':
      parser.at += 1
      if (scope.loops === 0) throw syntaxFault(parser, 'no loop to break')
      return { kind: 'break', line }
    default:
      return parseExpressionStatement(parser, scope)
  }
}

function parseIf(parser: Parser, scope: Scope): Statement {
  const { line } = peek(parser)
  const branches: { condition: Expression; body: Block }[] = []
  do {
    parser.at += 1
    const condition = parseExpression(parser, scope)
    take(parser, 'then')
    branches.push({ condition, body: parseBlock(parser, scope) })
  } while (isNext(parser, 'elseif'))
  const otherwise = accept(parser, 'else') ? parseBlock(parser, scope) : undefined
  takeMatch(parser, 'end', 'if', line)
  return { kind: 'if', branches, otherwise, line }
}

function parseLoopBody(parser: Parser, scope: Scope): Block {
  scope.loops += 1
  const body = parseBlock(parser, scope)
  scope.loops -= 1
  return body
}

function parseWhile(parser: Parser, scope: Scope): Statement {
  const { line } = advance(parser)
  const condition = parseExpression(parser, scope)
  take(parser, 'do')
  const body = parseLoopBody(parser, scope)
  takeMatch(parser, 'end', 'while', line)
  return { kind: 'while', condition, body, line }
}

/** The condition sees the locals of the body. */
function parseRepeat(parser: Parser, scope: Scope): Statement {
  const { line } = advance(parser)
  return inBlock(scope, () => {
    scope.loops += 1
    const body = parseStatements(parser, scope)
    scope.loops -= 1
    takeMatch(parser, 'until', 'repeat', line)
    return { kind: 'repeat', body, until: parseExpression(parser, scope), line }
  })
}

function parseFor(parser: Parser, scope: Scope): Statement {
  const { line } = advance(parser)
  const names = [takeName(parser)]
  if (!isNext(parser, '=') && !isNext(parser, ',') && !isNext(parser, 'in'))
    throw syntaxFault(parser, "'=' or 'in' expected")
  const statement = accept(parser, '=')
    ? parseNumericFor(parser, scope, names[0]!, line)
    : parseGenericFor(parser, scope, names, line)
  takeMatch(parser, 'end', 'for', line)
  return statement
}

function parseNumericFor(parser: Parser, scope: Scope, name: string, line: number): Statement {
  const start = parseExpression(parser, scope)
  take(parser, ',')
  const limit = parseExpression(parser, scope)
  const step = accept(parser, ',') ? parseExpression(parser, scope) : undefined
  take(parser, 'do')
  return inBlock(scope, () => {
    const slot = declare(scope, name)
    return { kind: 'for', slot, start, limit, step, body: parseLoopBody(parser, scope), line }
  })
}

function parseGenericFor(parser: Parser, scope: Scope, names: string[], line: number): Statement {
  while (accept(parser, ',')) names.push(takeName(parser))
  take(parser, 'in')
  const values = parseExpressions(parser, scope)
  take(parser, 'do')
  return inBlock(scope, () => {
    const slots = names.map((name) => declare(scope, name))
    return { kind: 'for-in', slots, values, body: parseLoopBody(parser, scope), line }
  })
}

function parseLocal(parser: Parser, scope: Scope, line: number): Statement {
  const names: string[] = []
  do names.push(takeName(parser))
  while (accept(parser, ','))
  const values = accept(parser, '=') ? parseExpressions(parser, scope) : []
  return { kind: 'local', slots: names.map((name) => declare(scope, name)), values, line }
}

function parseLocalFunction(parser: Parser, scope: Scope, line: number): Statement {
  const slot = declare(scope, takeName(parser))
  return { kind: 'local-function', slot, body: parseFunctionBody(parser, scope, line), line }
}

function parseFunctionStatement(parser: Parser, scope: Scope): Statement {
  const { line } = advance(parser)
  let target: Expression = { ...resolve(scope, takeName(parser)), line }
  let isMethod = false
  while (!isMethod && (isNext(parser, '.') || isNext(parser, ':'))) {
    isMethod = advance(parser).text === ':'
    target = { kind: 'index', object: target, key: { kind: 'constant', value: takeName(parser), line }, line }
  }
  const body = parseFunctionBody(parser, scope, line, isMethod)
  return { kind: 'assign', targets: [target], values: [{ kind: 'function', body, line }], line }
}

/** From the opening parenthesis on. */
function parseFunctionBody(parser: Parser, outer: Scope, line: number, isMethod = false): FunctionBody {
  take(parser, '(')
  const names: string[] = isMethod ? ['self'] : []
  let hasVarargs = false
  while (!isNext(parser, ')')) {
    if (peek(parser).kind !== 'name' && !isNext(parser, '...')) throw expected(parser, '<name>')
    hasVarargs = accept(parser, '...')
    if (!hasVarargs) names.push(takeName(parser))
    if (hasVarargs || !accept(parser, ',')) break
  }
  take(parser, ')')
  const scope = openScope(outer, hasVarargs)
  const parameters = names.map((name) => declare(scope, name))
  const body = parseBlock(parser, scope)
  takeMatch(parser, 'end', 'function', line)
  return bodyOf(scope, parameters, body)
}

function parseReturn(parser: Parser, scope: Scope): Statement {
  const { line } = advance(parser)
  const isEmpty = isBlockEnd(parser) || isNext(parser, ';')
  return { kind: 'return', values: isEmpty ? [] : parseExpressions(parser, scope), line }
}

function parseExpressionStatement(parser: Parser, scope: Scope): Statement {
  const { line } = peek(parser)
  const first = parsePrimary(parser, scope)
  if (first.kind === 'call' || first.kind === 'method') return { kind: 'call-statement', call: first, line }
  const targets: Expression[] = [first]
  const check = (target: Expression): void => {
    if (!/^(local|upvalue|global|index)$/.test(target.kind)) throw syntaxFault(parser, 'syntax error')
  }
  check(first)
  while (accept(parser, ',')) {
    const next = parsePrimary(parser, scope)
    check(next)
    targets.push(next)
  }
  take(parser, '=')
  return { kind: 'assign', targets, values: parseExpressions(parser, scope), line }
}
