// The types of the client: for each operation its required and optional parameters, and its answer.
import type { TSchema } from 'typebox'
import type { Upload } from '@rookery/contract/fields.ts'
import type { groups } from '@rookery/contract/groups.gen.ts'
import type { Answer, Operation, Params } from '@rookery/contract/operation.ts'

type Groups = typeof groups

/** The schemas of an operation's parameters, by name. */
type Schemas<O> = O extends { readonly params: { readonly properties: infer P } } ? P : never

/** Names of parameters that have a default. */
type Defaulted<O> = {
  [Name in keyof Schemas<O>]: Schemas<O>[Name] extends { readonly default: unknown } ? Name : never
}[keyof Schemas<O>]

/** One object type instead of an intersection: editors show it in full. */
type Flat<T> = { [Name in keyof T]: T[Name] }

/** A file parameter takes these. */
type Sent<T> = T extends Upload ? Blob | File : T

/** The parameters; optional ones and those with a default may be left out. */
export type Given<O> = Flat<
  {
    [Name in keyof Params<O> as Name extends Defaulted<O> ? never : Name]: Sent<Params<O>[Name]>
  } & { [Name in keyof Params<O> as Name extends Defaulted<O> ? Name : never]?: Sent<Params<O>[Name]> }
>

/** An answer that is a file instead of JSON. */
export interface AnsweredFile {
  readonly name: string
  readonly contentType: string
  readonly bytes: Uint8Array
}

/** `result` is `success`, or `progress` while work is going on; `file` is present when the console answered with one. */
export type Answered<O> = Answer<O> & { readonly result: string; readonly file?: AnsweredFile }

type Call<O> =
  object extends Given<O>
    ? (params?: Given<O>) => Promise<Answered<O>>
    : (params: Given<O>) => Promise<Answered<O>>

/** A function for each operation, by group. */
export type Client = {
  readonly [G in keyof Groups]: {
    readonly [O in keyof Groups[G]]: Groups[G][O] extends Operation<infer _P, TSchema>
      ? Call<Groups[G][O]>
      : never
  }
}
