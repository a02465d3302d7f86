// What an ACME server answers, as far as it is read (RFC 8555, 7.1).
import Type, { type Static, type TSchema } from 'typebox'
import { Compile } from 'typebox/compile'

const url = Type.String({ pattern: '^https://', maxLength: 2_048 })
const problem = Type.Object({ type: Type.Optional(Type.String()), detail: Type.Optional(Type.String()) })

export const Directory = Type.Object({ newNonce: url, newAccount: url, newOrder: url })

export type Directory = Static<typeof Directory>

export const Order = Type.Object({
  status: Type.String(),
  authorizations: Type.Array(url, { maxItems: 16 }),
  finalize: url,
  certificate: Type.Optional(url),
  error: Type.Optional(problem),
})

export const Challenge = Type.Object({
  type: Type.String(),
  url,
  token: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9_-]+$', maxLength: 512 })),
  error: Type.Optional(problem),
})

export const Authorization = Type.Object({
  status: Type.String(),
  identifier: Type.Object({ value: Type.String() }),
  challenges: Type.Array(Challenge, { maxItems: 32 }),
})

export const Problem = Type.Object({
  ...problem.properties,
  subproblems: Type.Optional(Type.Array(problem, { maxItems: 32 })),
})

export type Problem = Static<typeof Problem>
export type Authorization = Static<typeof Authorization>

/** The value of a JSON text; undefined for another text, and for JSON of another form. */
export function readMessage<T extends TSchema>(schema: T, text: string): Static<T> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const validator = Compile(schema)
    return validator.Check(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** `unauthorized: No TXT record found`, in printable characters. */
export function sentenceOf({ type = '', detail = '' }: Problem): string {
  const name = type.replace(/^urn:ietf:params:acme:error:/, '')
  const text = [name, detail].filter((part) => part !== '').join(': ')
  return text
    .replace(/[^\x20-\x7e]+/g, ' ')
    .replace(/\.+$/, '')
    .slice(0, 500)
}
