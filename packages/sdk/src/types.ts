// The types of the client: of each operation, what must be given, what may be left out, and what comes back.
import type { TSchema } from 'typebox'
import type { Upload } from '@rookery/contract/fields.ts'
import type { groups } from '@rookery/contract/groups.gen.ts'
import type { Answer, Operation, Params } from '@rookery/contract/operation.ts'

type Groups = typeof groups

/** The schemas of an operation's parameters, by name. */
type Schemas<O> = O extends { readonly params: { readonly properties: infer P } } ? P : never

/** Names of parameters that have a default: the console fills them in. */
type Defaulted<O> = {
  [Name in keyof Schemas<O>]: Schemas<O>[Name] extends { readonly default: unknown } ? Name : never
}[keyof Schemas<O>]

/** One object instead of an intersection, as people read it in their editor. */
type Flat<T> = { [Name in keyof T]: T[Name] }

/** What a file may be given as. */
type Sent<T> = T extends Upload ? Blob | File : T

/** The parameters: required ones, and those that may be left out because they are optional or have a default. */
export type Given<O> = Flat<
  {
    [Name in keyof Params<O> as Name extends Defaulted<O> ? never : Name]: Sent<Params<O>[Name]>
  } & { [Name in keyof Params<O> as Name extends Defaulted<O> ? Name : never]?: Sent<Params<O>[Name]> }
>

/** A file instead of JSON. */
export interface AnsweredFile {
  readonly name: string
  readonly contentType: string
  readonly bytes: Uint8Array
}

/** `result` is `success`, or `progress` while work goes on; `file` is there when the console answered with one. */
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
