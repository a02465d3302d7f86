// Pairs handlers with the operations of a group. A missing or surplus handler, or a wrong answer, does not compile.
import type { Static } from 'typebox'
import type { Answer, Group, Operation, Params } from './operation.ts'

/** A file as an answer; the browser saves it as `filename`, which has safe characters only. */
export class FileAnswer {
  readonly filename: string
  readonly contentType: string
  readonly bytes: Uint8Array | string

  constructor(filename: string, contentType: string, bytes: Uint8Array | string) {
    this.filename = filename
    this.contentType = contentType
    this.bytes = bytes
  }
}

/** A file as an answer, in pieces: a long list, or bytes that are not in memory whole. */
export class FileStream {
  readonly filename: string
  readonly contentType: string
  readonly pieces: AsyncIterable<string | Uint8Array>

  constructor(filename: string, contentType: string, pieces: AsyncIterable<string | Uint8Array>) {
    this.filename = filename
    this.contentType = contentType
    this.pieces = pieces
  }
}

/** An answer as JSON text in pieces, for long lists. The text includes `result`. */
export class JsonStream {
  readonly pieces: AsyncIterable<string>

  constructor(pieces: AsyncIterable<string>) {
    this.pieces = pieces
  }
}

/** A stream of server-sent events as an answer; it lasts until the reader leaves or the pieces end. */
export class EventStream {
  readonly pieces: AsyncIterable<string>
  /** Ends the pieces, also while the next one is waited for. */
  readonly leave: () => void

  constructor(pieces: AsyncIterable<string>, leave: () => void) {
    this.pieces = pieces
    this.leave = leave
  }
}

export type Handler<O, Call> = (
  params: Params<O>,
  call: Call,
) => Promise<Answer<O> | FileAnswer | FileStream | JsonStream | EventStream>

export type Handlers<G extends Group, Call> = { readonly [Name in keyof G]: Handler<G[Name], Call> }

/** An operation with its handler, without their types: the parameters are checked against the schema before the call. */
export interface Route<Call> {
  readonly operation: Operation
  readonly handle: (params: Static<Operation['params']>, call: Call) => Promise<object>
}

/** Pairs each operation of the group with the handler of the same name. */
export function implement<G extends Group, Call>(group: G, handlers: Handlers<G, Call>): Route<Call>[] {
  return Object.entries(group).map(([name, operation]) => ({
    operation,
    handle: handlers[name] as Route<Call>['handle'],
  }))
}
