// NEGOTIATE ([MS-SMB2] 3.3.5.3 and 3.3.5.4): by SMB1, and by SMB2 with the contexts of 3.1.1.
import { DIALECT, NEWEST_FIRST } from '../../../protocol/codec/dialect.ts'
import {
  CAPABILITY,
  compressionContext,
  encryptionContext,
  preauthContext,
  readNegotiate,
  SALT_BYTES,
  SHA_512,
  smb1Dialects,
  WILDCARD,
  type Compression,
  type NegotiateContexts,
} from '../../../protocol/codec/negotiate.ts'
import type { SessionContext, Step } from '../../../../../session/session.ts'
import { disconnect, fail, succeed } from '../../../protocol/call.ts'
import { maxSizeOf, type Call, type Outcome } from '../call.ts'
import { unpooled } from '../../../../../windows/fields.ts'
import { encodeFrame } from '../../../protocol/codec/frame.ts'
import { upgradeHeader } from '../../../protocol/codec/header.ts'
import { STATUS } from '../../../protocol/codec/status.ts'
import { firstWindow } from '../../../protocol/credits.ts'
import type { Machine } from '../machine.ts'
import type { SmbState } from '../state.ts'
import {
  capabilitiesFor,
  SMB1_CLIENT,
  upgradeOf,
  offerOf,
  agreedOn,
} from '../../../protocol/commands/negotiation.ts'

/** Which cipher Windows prefers: AES-128-GCM, then AES-128-CCM. */
const CIPHERS = [2, 1]

/** The answer's body for a dialect. */
const offer = (
  machine: Machine,
  context: SessionContext,
  dialect: number,
  capabilities: number,
  contexts: readonly Buffer[] = [],
): Buffer =>
  offerOf(machine, context.now(), {
    dialect,
    capabilities,
    maxSize: maxSizeOf(dialect),
    hasKerberos: machine.names.isDomain,
    contexts,
  })

/**
 * A client that begins with SMB1: one that also speaks SMB2 is led there; to others the connection closes without a word, as
 * on a Windows without SMB1.
 */
export function negotiateSmb1(
  state: SmbState,
  message: Buffer,
  machine: Machine,
  context: SessionContext,
): Step<SmbState> {
  const isFirst = !state.negotiated && !state.isUpgraded
  const dialect = isFirst ? upgradeOf(smb1Dialects(message) ?? []) : undefined
  if (dialect === undefined) return { state, close: 'reset' }
  const capabilities = capabilitiesFor(dialect, 0, 0)
  const send = encodeFrame(Buffer.concat([upgradeHeader(), offer(machine, context, dialect, capabilities)]))
  if (dialect === WILDCARD) return { state: { ...state, isUpgraded: true }, send }
  const negotiated = agreedOn(machine, dialect, capabilities, SMB1_CLIENT)
  return { state: { ...state, negotiated, window: firstWindow(1n) }, send }
}

export function negotiate(call: Call): Outcome {
  const { state, message, machine, context } = call
  if (state.negotiated) return disconnect(call)
  const request = readNegotiate(message)
  if (!request || request.dialects.length === 0) return fail(call, STATUS.invalidParameter)
  const dialect = NEWEST_FIRST.find((each) => request.dialects.includes(each))
  if (dialect === undefined) return fail(call, STATUS.notSupported)
  const answer = dialect === DIALECT.v311 ? answerContexts(request.contexts, machine, context) : []
  if (typeof answer === 'number') return fail(call, answer)
  const { capabilities: wanted, securityMode, dialects } = request
  const capabilities = capabilitiesFor(dialect, wanted, dialect === DIALECT.v311 ? OPTIONAL_OF_311 : OPTIONAL)
  const client = { capabilities: wanted, guid: unpooled(request.clientGuid), securityMode, dialects }
  const negotiated = agreedOn(machine, dialect, capabilities, client)
  return succeed({ ...state, negotiated }, offer(machine, context, dialect, capabilities, answer), {
    hashesAnswer: true,
  })
}

/** In 3.1.1 a context agrees on encryption. */
const OPTIONAL_OF_311 = CAPABILITY.multiChannel | CAPABILITY.directoryLeasing
const OPTIONAL = OPTIONAL_OF_311 | CAPABILITY.encryption

/** Windows 10 v1903, the first that compresses. */
const FIRST_COMPRESSING_BUILD = 18_362
const COMPRESSIONS = [1, 2, 3]
const PATTERN_SCAN = 4
const CHAINED = 1

/** Of Windows 10 v2004: of the client's algorithms the first that compresses, and the one that looks for patterns. */
function chosenCompression({ flags, algorithms }: Compression): Compression {
  const first = algorithms.find((each) => COMPRESSIONS.includes(each))
  return {
    flags: flags & CHAINED,
    algorithms: algorithms.filter((each) => each === first || each === PATTERN_SCAN),
  }
}

function answerContexts(
  contexts: NegotiateContexts | undefined,
  { edition }: Machine,
  { random }: SessionContext,
): readonly Buffer[] | typeof STATUS.invalidParameter | typeof STATUS.preauthHashOverlap {
  const { hashes, ciphers } = contexts ?? {}
  if (!hashes || hashes.length === 0) return STATUS.invalidParameter
  if (!hashes.includes(SHA_512)) return STATUS.preauthHashOverlap
  const compression = edition.build < FIRST_COMPRESSING_BUILD ? undefined : contexts?.compression
  if (compression === 'invalid') return STATUS.invalidParameter
  const cipher = CIPHERS.find((each) => ciphers?.includes(each)) ?? 0
  return [
    preauthContext(random(SALT_BYTES)),
    ...(ciphers ? [encryptionContext(cipher)] : []),
    ...(compression ? [compressionContext(chosenCompression(compression))] : []),
  ]
}

/** The window that the first SMB2 message of a client opens: behind SMB1 it begins at 0 or 1. */
export const windowAtNegotiation = (state: SmbState, messageId: bigint): SmbState['window'] =>
  state.isUpgraded && messageId === 1n ? firstWindow(1n) : state.window
