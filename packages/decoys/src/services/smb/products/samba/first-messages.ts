// What comes before SMB2: the session of NetBIOS (RFC 1002, 4.3), and a negotiation by SMB1, which only leads to SMB2.
import type { SessionContext, Step } from '../../../../session/session.ts'
import { encodeFrame } from '../../protocol/codec/frame.ts'
import { upgradeHeader } from '../../protocol/codec/header.ts'
import { smb1Dialects, WILDCARD } from '../../protocol/codec/negotiate.ts'
import { firstWindow } from '../../protocol/credits.ts'
import { POSITIVE_RESPONSE } from '../../protocol/netbios/session-request.ts'
import { preauthHash } from '../../protocol/signing/sign.ts'
import type { SambaMachine } from './machine.ts'
import { offer } from './commands/negotiate.ts'
import type { SambaState } from './state.ts'
import { agreedOn, upgradeOf, SMB1_CLIENT } from '../../protocol/commands/negotiation.ts'

const SESSION_REQUEST = 0x81
const NAME_BYTES = 34
/** The called name is not here. */
const REFUSAL = Buffer.from([0x83, 0, 0, 1, 0x82])

/** Any name is called rightly, once. */
export function answerNetbios(state: SambaState, type: number, content: Buffer): Step<SambaState> {
  if (type !== SESSION_REQUEST || state.hasNetbiosSession) return { state, close: 'close' }
  const isWhole =
    content.length >= 2 * NAME_BYTES &&
    content[0] === NAME_BYTES - 2 &&
    content[NAME_BYTES] === NAME_BYTES - 2
  if (!isWhole) return { state, send: REFUSAL, close: 'close' }
  return { state: { ...state, hasNetbiosSession: true }, send: POSITIVE_RESPONSE }
}

const SMB1_NEGOTIATE = 0x72
const SMB1_HEADER_BYTES = 32
const FLAGS_AT = 9
const REPLY = 0x88
/** Long names, extended security, NT status, Unicode: what Samba's own header says. */
const FLAGS2 = Buffer.from([0x13, 0xc0])

/** Both ways to SMB2 win over the dialects of SMB1, of which there is none. */
export function answerSmb1(
  state: SambaState,
  message: Buffer,
  machine: SambaMachine,
  context: SessionContext,
): Step<SambaState> {
  const isNegotiation =
    message.length >= SMB1_HEADER_BYTES + 3 &&
    message.readUInt32BE(0) === 0xff534d42 &&
    message[4] === SMB1_NEGOTIATE
  if (!isNegotiation) return { state, close: 'close' }
  const dialect = upgradeOf(smb1Dialects(message) ?? [])
  if (dialect === undefined) return { state, send: refusal(message), close: 'close' }
  const { capabilities, body } = offer(machine, context, dialect, 0)
  const send = encodeFrame(Buffer.concat([upgradeHeader(), body]))
  const next = { ...state, isSmb2: true, window: firstWindow(1n) }
  if (dialect === WILDCARD) return { state: next, send }
  const negotiated = agreedOn(machine, dialect, capabilities, SMB1_CLIENT)
  return {
    state: { ...next, negotiated, preauthHash: preauthHash(state.preauthHash, message) },
    send,
  }
}

/** An answer of SMB1 that no dialect was taken. */
function refusal(message: Buffer): Buffer {
  const head = Buffer.from(message.subarray(0, SMB1_HEADER_BYTES))
  head.fill(0, 5, FLAGS_AT)
  head[FLAGS_AT] = REPLY
  FLAGS2.copy(head, FLAGS_AT + 1)
  return encodeFrame(Buffer.concat([head, Buffer.from([1, 0xff, 0xff, 0, 0])]))
}
