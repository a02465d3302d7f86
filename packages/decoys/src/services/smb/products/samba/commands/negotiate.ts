// NEGOTIATE as Samba answers it, with the contexts of 3.1.1.
import { DIALECT, NEWEST_FIRST } from '../../../protocol/codec/dialect.ts'
import {
  CAPABILITY,
  encryptionContext,
  preauthContext,
  SALT_BYTES,
  SHA_512,
} from '../../../protocol/codec/negotiate.ts'
import type { SessionContext } from '../../../../../session/session.ts'
import { join, part, reader, u16, u32, unpooled } from '../../../../../windows/fields.ts'
import { HEADER_BYTES } from '../../../protocol/codec/header.ts'
import { SIGNING, type SigningAlgorithm } from '../../../protocol/signing/sign.ts'
import { STATUS } from '../../../protocol/codec/status.ts'
import { disconnect, fail, succeed } from '../../../protocol/call.ts'
import { maxSizeOf, type Call, type Outcome } from '../call.ts'
import { bodyOf } from '../codec.ts'
import { joinClient } from '../locking/locking.ts'
import type { SambaMachine } from '../machine.ts'
import type { Negotiated } from '../../../protocol/state.ts'
import { offerOf, agreedOn, capabilitiesFor } from '../../../protocol/commands/negotiation.ts'

const CONTEXT = { preauthIntegrity: 1, encryption: 2, signing: 8 } as const
/** `server smb3 encryption algorithms` and `server smb3 signing algorithms`, best first. */
const CIPHERS = [2, 1, 4, 3]
const SIGNINGS = [SIGNING.aesGmac, SIGNING.aesCmac, SIGNING.hmacSha256]

const OPTIONAL = CAPABILITY.multiChannel | CAPABILITY.encryption

/** The answer for a dialect. */
export function offer(
  machine: SambaMachine,
  context: SessionContext,
  dialect: number,
  wanted: number,
  contexts: readonly Buffer[] = [],
  hasCipher = false,
): { readonly capabilities: number; readonly body: Buffer } {
  const all = capabilitiesFor(dialect, wanted, OPTIONAL)
  const capabilities = hasCipher ? all & ~CAPABILITY.encryption : all
  const maxSize = maxSizeOf(dialect)
  const about = { dialect, capabilities, maxSize, hasKerberos: false, contexts }
  return { capabilities, body: offerOf(machine, context.now(), about) }
}

export function negotiate(call: Call): Outcome {
  const { state, machine, context } = call
  if (state.negotiated) return disconnect(call)
  const request = readNegotiate(call.message)
  if (!request) return fail(call, STATUS.invalidParameter)
  const dialect = NEWEST_FIRST.find((each) => request.client.dialects.includes(each))
  if (dialect === undefined) return fail(call, STATUS.notSupported)
  const contexts = dialect === DIALECT.v311 ? answerContexts(request, context) : { answers: [] }
  if ('refusal' in contexts) return fail(call, contexts.refusal)
  const { answers, hasCipher = false, signing } = contexts
  const { capabilities, body } = offer(
    machine,
    context,
    dialect,
    request.client.capabilities,
    answers,
    hasCipher,
  )
  const negotiated = agreedOn(machine, dialect, capabilities, request.client, signing)
  joinClient(call.config.locking, state.connection, request.client.guid, dialect !== DIALECT.v202)
  return succeed({ ...state, negotiated }, body, { hashesAnswer: true })
}

interface Request {
  readonly client: Negotiated['client']
  /** By type, the first of each; undefined when they cannot be read. */
  readonly contexts: ReadonlyMap<number, Buffer> | undefined
}

function readNegotiate(message: Buffer): Request | undefined {
  const body = bodyOf(message, 36)
  if (!body) return undefined
  const { fields, dynamic } = body
  const count = fields.u16()
  const securityMode = fields.u16()
  fields.skip(2)
  const capabilities = fields.u32()
  const guid = unpooled(fields.bytes(16))
  const offset = fields.u32()
  const contextCount = fields.u16()
  if (count === 0 || dynamic.length < 2 * count) return undefined
  const list = reader(dynamic)
  const dialects = Array.from({ length: count }, () => list.u16())
  const contexts = dialects.includes(DIALECT.v311)
    ? readContexts(message, offset, contextCount, HEADER_BYTES + 36 + 2 * count)
    : new Map<number, Buffer>()
  return { client: { capabilities, guid, securityMode, dialects }, contexts }
}

function readContexts(
  message: Buffer,
  offset: number,
  count: number,
  from: number,
): ReadonlyMap<number, Buffer> | undefined {
  const found = new Map<number, Buffer>()
  if (count === 0) return found
  if (offset < from || offset > message.length) return undefined
  let at = offset
  for (let i = 0; i < count; i += 1) {
    if (at + 8 > message.length) return undefined
    const content = part(message, at + 8, message.readUInt16LE(at + 2))
    if (!content) return undefined
    const type = message.readUInt16LE(at)
    if (!found.has(type)) found.set(type, content)
    at = (at + 8 + content.length + 7) & ~7
  }
  return found
}

type Contexts =
  | { readonly answers: readonly Buffer[]; readonly hasCipher?: boolean; readonly signing?: SigningAlgorithm }
  | { readonly refusal: typeof STATUS.invalidParameter | typeof STATUS.preauthHashOverlap }

const INVALID: Contexts = { refusal: STATUS.invalidParameter }

function answerContexts({ contexts, client }: Request, { random }: SessionContext): Contexts {
  const preauth = contexts?.get(CONTEXT.preauthIntegrity)
  if (!contexts || !preauth || preauth.length < 4) return INVALID
  const [hashCount, saltLength] = [preauth.readUInt16LE(0), preauth.readUInt16LE(2)]
  if (hashCount === 0 || preauth.length < 4 + 2 * hashCount + saltLength) return INVALID
  if (!idsOf(preauth, 4, hashCount).includes(SHA_512)) return { refusal: STATUS.preauthHashOverlap }
  const [ciphers, signings] = [
    listOf(contexts.get(CONTEXT.encryption)),
    listOf(contexts.get(CONTEXT.signing)),
  ]
  if (signings === 'invalid') return INVALID
  const isEncrypting = ciphers !== undefined && (client.capabilities & CAPABILITY.encryption) !== 0
  if (isEncrypting && ciphers === 'invalid') return INVALID
  const cipher = CIPHERS.find((each) => ciphers?.includes(each as never)) ?? 0
  const signing = SIGNINGS.find((each) => signings?.includes(each))
  return {
    answers: [
      preauthContext(random(SALT_BYTES)),
      ...(isEncrypting ? [encryptionContext(cipher)] : []),
      ...(signing === undefined ? [] : [join(u16(CONTEXT.signing), u16(4), u32(0), u16(1), u16(signing))]),
    ],
    hasCipher: isEncrypting,
    ...(signing !== undefined && { signing }),
  }
}

const idsOf = (bytes: Buffer, at: number, count: number): number[] =>
  Array.from({ length: count }, (_, i) => bytes.readUInt16LE(at + 2 * i))

/** A count and as many ids. */
function listOf(content: Buffer | undefined): readonly number[] | 'invalid' | undefined {
  if (!content) return undefined
  if (content.length < 2) return 'invalid'
  const count = content.readUInt16LE(0)
  return count === 0 || content.length < 2 + 2 * count ? 'invalid' : idsOf(content, 2, count)
}
