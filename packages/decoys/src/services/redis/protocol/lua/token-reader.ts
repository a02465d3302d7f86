// The tokens of a script, read one after another, and what Lua says when another one was expected.
import type { Token } from './lexer.ts'
import type { Scope } from './scope.ts'
import type { FunctionBody } from './syntax.ts'
import { LuaSyntaxError } from './values.ts'

export interface Parser {
  /** Reads a function from its opening parenthesis on. */
  readonly functionBody: (parser: Parser, outer: Scope, line: number) => FunctionBody
  readonly tokens: readonly Token[]
  readonly chunk: string
  at: number
  depth: number
}

const MAX_DEPTH = 100

export const peek = ({ tokens, at }: Parser): Token => tokens[at]!
export const isNext = (parser: Parser, text: string): boolean => {
  const token = peek(parser)
  return token.text === text && (token.kind === 'symbol' || token.kind === 'keyword')
}

export function advance(parser: Parser): Token {
  const token = peek(parser)
  if (token.kind !== 'end') parser.at += 1
  return token
}

export function accept(parser: Parser, text: string): boolean {
  if (!isNext(parser, text)) return false
  parser.at += 1
  return true
}

export function syntaxFault(parser: Parser, message: string): LuaSyntaxError {
  const { text, source, line } = peek(parser)
  const place = text === '\0' ? '' : ` near '${source ?? text}'`
  return new LuaSyntaxError(`${parser.chunk}:${line}: ${message}${place}`)
}

export const expected = (parser: Parser, what: string): LuaSyntaxError =>
  syntaxFault(parser, `'${what}' expected`)

export function take(parser: Parser, text: string): void {
  if (!accept(parser, text)) throw expected(parser, text)
}

/** The end of what `open` began at `line`. */
export function takeMatch(parser: Parser, close: string, open: string, line: number): void {
  if (accept(parser, close)) return
  if (peek(parser).line === line) throw expected(parser, close)
  throw syntaxFault(parser, `'${close}' expected (to close '${open}' at line ${line})`)
}

export function takeName(parser: Parser): string {
  const token = peek(parser)
  if (token.kind !== 'name') throw expected(parser, '<name>')
  parser.at += 1
  return token.text
}

/** Deeper scripts would exhaust the stack of the decoy. */
export function nested<T>(parser: Parser, read: () => T): T {
  if ((parser.depth += 1) > MAX_DEPTH)
    throw new LuaSyntaxError(`${parser.chunk}:${peek(parser).line}: chunk has too many syntax levels`)
  const result = read()
  parser.depth -= 1
  return result
}
