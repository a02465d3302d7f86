// What an ACME server answers, as far as it is read (RFC 8555, 7.1).
import Type, { type Static, type TSchema } from 'typebox'
import { Compile } from 'typebox/compile'

const url = Type.String({ pattern: '^https://', maxLength: 2_048 })
/** A word of RFC 8555, 7.1.6: it is shown to operators. */
const status = Type.String({ pattern: '^[A-Za-z]{1,32}$' })
const problem = Type.Object({ type: Type.Optional(Type.String()), detail: Type.Optional(Type.String()) })

/** The URL in a header `Location`. */
export const Location = url

export const Directory = Type.Object({ newNonce: url, newAccount: url, newOrder: url })

export type Directory = Static<typeof Directory>

export const Order = Type.Object({
  status,
  authorizations: Type.Array(url, { maxItems: 16 }),
  finalize: url,
  certificate: Type.Optional(url),
  error: Type.Optional(problem),
})

const Challenge = Type.Object({
  type: Type.String(),
  url,
  token: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9_-]+$', maxLength: 512 })),
  error: Type.Optional(problem),
})

export const Authorization = Type.Object({
  status,
  identifier: Type.Object({ value: Type.String({ pattern: '^[!-~]{1,255}$' }) }),
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
  return printable([name, detail].filter((part) => part !== '').join(': ')).replace(/\.+$/, '')
}

const SHOWN_CHARACTERS = 500

/** As operators may read it, whatever a server wrote. */
export const printable = (text: string): string =>
  text.slice(0, SHOWN_CHARACTERS).replace(/[^\x20-\x7e]+/g, ' ')
