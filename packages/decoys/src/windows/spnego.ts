// SPNEGO (RFC 4178, [MS-SPNG]): which mechanism logs in, wrapped around its tokens.
import { der } from '@rookery/kernel/der.ts'
import { contentOf, readAll } from './read-der.ts'

const oid = (hex: string): Buffer => Buffer.from(hex, 'hex')
const SPNEGO = oid('2b0601050502')
export const NTLM = oid('2b06010401823702020a')
const KERBEROS_MS = oid('2a864882f712010202')
const KERBEROS = oid('2a864886f712010202')
const HINT = 'not_defined_in_RFC4178@please_ignore'

const TAG = {
  application: 0x60,
  oid: 0x06,
  sequence: 0x30,
  octets: 0x04,
  enumerated: 0x0a,
  string: 0x1b,
} as const
const context = (n: number): number => 0xa0 + n

/** What the server offers: NegTokenInit2 ([MS-SPNG] 2.2.1). A member of a domain offers Kerberos, too. */
export function serverOffer(isDomainMember: boolean): Buffer {
  const mechanisms = isDomainMember ? [KERBEROS_MS, KERBEROS, NTLM] : [NTLM]
  const list = der(TAG.sequence, ...mechanisms.map((each) => der(TAG.oid, each)))
  const hint = der(context(3), der(TAG.sequence, der(context(0), der(TAG.string, Buffer.from(HINT)))))
  const init = der(TAG.sequence, der(context(0), list), hint)
  return der(TAG.application, der(TAG.oid, SPNEGO), der(context(0), init))
}

export type ClientToken =
  /** NTLM without SPNEGO. */
  | { readonly kind: 'raw'; readonly token: Buffer }
  | {
      readonly kind: 'init'
      readonly offersNtlm: boolean
      /** The token is for the first mechanism. */
      readonly isNtlmFirst: boolean
      readonly token: Buffer | undefined
    }
  | { readonly kind: 'response'; readonly token: Buffer | undefined }

const NTLM_SIGNATURE = 'NTLMSSP\0'

/** Undefined when it is none of them. */
export function readClientToken(bytes: Buffer): ClientToken | undefined {
  if (bytes.toString('latin1', 0, 8) === NTLM_SIGNATURE) return { kind: 'raw', token: bytes }
  const application = contentOf(bytes, TAG.application)
  if (application) return readInit(application)
  const response = contentOf(bytes, context(1))
  const fields = response && fieldsOf(response)
  return fields && { kind: 'response', token: octets(fields.get(context(2))) }
}

/** The fields of a SEQUENCE by their tag. */
function fieldsOf(bytes: Buffer): ReadonlyMap<number, Buffer> | undefined {
  const sequence = contentOf(bytes, TAG.sequence)
  const values = sequence && readAll(sequence)
  return values && new Map(values.map(({ tag, content }) => [tag, content]))
}

const octets = (bytes: Buffer | undefined): Buffer | undefined => bytes && contentOf(bytes, TAG.octets)

function readInit(bytes: Buffer): ClientToken | undefined {
  const [mechanism, inner] = readAll(bytes) ?? []
  if (mechanism?.tag !== TAG.oid || !mechanism.content.equals(SPNEGO)) return undefined
  const fields = inner?.tag === context(0) ? fieldsOf(inner.content) : undefined
  const list = fields?.get(context(0))
  const sequence = list && contentOf(list, TAG.sequence)
  const offered = sequence && readAll(sequence)
  if (!offered) return undefined
  const isNtlm = offered.map(({ tag, content }) => tag === TAG.oid && content.equals(NTLM))
  return {
    kind: 'init',
    offersNtlm: isNtlm.includes(true),
    isNtlmFirst: isNtlm[0] === true,
    token: octets(fields?.get(context(2))),
  }
}

const NEG_STATE = { accepted: 0, incomplete: 1 } as const

/** A NegTokenResp. `names` the mechanism in the first answer only. */
export function serverResponse(
  state: keyof typeof NEG_STATE,
  { names = false, token }: { readonly names?: boolean; readonly token?: Buffer } = {},
): Buffer {
  const fields = [der(context(0), der(TAG.enumerated, Buffer.from([NEG_STATE[state]])))]
  if (names) fields.push(der(context(1), der(TAG.oid, NTLM)))
  if (token) fields.push(der(context(2), der(TAG.octets, token)))
  return der(context(1), der(TAG.sequence, ...fields))
}
