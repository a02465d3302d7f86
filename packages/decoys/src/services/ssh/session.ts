// The SSH server as a pure machine: identification, key exchange, authentication; no login ever succeeds.
import type { SessionContext, SessionDefinition, Step } from '../../session.ts'
import { onAuthMessage } from './auth.ts'
import { plain } from './cipher/protection.ts'
import { readIdent, type Ident } from './codec/ident.ts'
import { reader } from './codec/fields.ts'
import { kexInit } from './codec/kexinit.ts'
import { disconnect, MSG, unimplemented } from './codec/messages.ts'
import { advance, MOST_PACKET_BYTES, readPacket, type Direction, type PacketFrame } from './codec/packet.ts'
import { onExchange, onKexInit, onNewKeys } from './exchange.ts'
import { prepareHostKeys } from './hostkeys/host-keys.ts'
import { close, say } from './say.ts'
import type { SshPersonality, SshState } from './state.ts'

/** OpenSSH's LoginGraceTime. */
const GRACE_MS = 120_000
/** How late the end of the grace time may be noticed. */
const LOOK_MS = 2_000

export type SshFrame = Ident | PacketFrame

/** The machine of one personality. */
export function sshSession(personality: SshPersonality): SessionDefinition<SshState, SshFrame> {
  const { version } = personality
  const isLate = (state: SshState, { now }: SessionContext): boolean => now() - state.openedAt >= GRACE_MS
  return {
    limits: { frameBytes: 4 + MOST_PACKET_BYTES + 64, idleMs: LOOK_MS },

    decode: (bytes, state) =>
      state.stage.name === 'ident' ? readIdent(bytes) : readPacket(bytes, state.inbound),

    open(context) {
      // Should it fail, it fails again where the key is needed, and there the host hears of it.
      prepareHostKeys(context.derive).catch(() => {})
      return { state: firstState(context), send: `SSH-2.0-${version.software}\r\n` }
    },

    step(state, frame, context) {
      if (isLate(state, context)) return close(state)
      switch (frame.kind) {
        case 'ident': {
          const serverInit = kexInit(version.offer, context.random(16))
          const stage = { name: 'kexinit', serverInit } as const
          return say({ ...state, remoteVersion: frame.text, stage }, context, serverInit)
        }
        case 'scanner':
          return close({ ...state, remoteVersion: frame.text })
        case 'refused':
          return { state, send: `${frame.reason}\r\n`, close: 'end' }
        case 'corrupt':
          return frame.reason === undefined ? close(state) : close(state, context, disconnect(frame.reason))
        case 'packet':
          return onPacket(state, frame.payload, frame.packetLength, personality, context)
      }
    },

    idle: (state, context) => (isLate(state, context) ? close(state) : { state }),

    closed({ remoteVersion, auth }) {
      if (auth.isLoginTried) return []
      const fields = { LOCALVERSION: `SSH-2.0-${version.software}` }
      if (remoteVersion === undefined) return [{ logtype: '4000', fields }]
      return [{ logtype: '4001', fields: { ...fields, REMOTEVERSION: remoteVersion } }]
    },
  }
}

function firstState({ now }: SessionContext): SshState {
  const fresh: Direction = { protection: plain, place: { sequence: 0, packets: 0, blocks: 0 } }
  return {
    openedAt: now(),
    stage: { name: 'ident' },
    remoteVersion: undefined,
    inbound: fresh,
    outbound: fresh,
    auth: {
      isServiceAccepted: false,
      attempts: 0,
      failures: 0,
      user: '',
      service: '',
      isLoginTried: false,
    },
  }
}

/** Message numbers below which nothing but key exchange is heard while keys are exchanged (RFC 4251, 7). */
const TRANSPORT_END = 50
const LOCAL_BEGIN = 192

function onPacket(
  before: SshState,
  payload: Buffer,
  packetLength: number,
  personality: SshPersonality,
  context: SessionContext,
): Step<SshState> {
  const type = payload[0]!
  const { sequence } = before.inbound.place
  const state: SshState = { ...before, inbound: advance(before.inbound, packetLength) }
  const { stage } = state
  if (type === 0 || type >= LOCAL_BEGIN) {
    return close(state, context, disconnect(`Invalid ssh2 packet type: ${type}`))
  }
  if (type === MSG.disconnect) return close(state)
  const isStrict =
    (stage.name === 'exchange' && stage.agreed.isStrict) || (stage.name === 'newkeys' && stage.isStrict)
  if (!isStrict && (type === MSG.ignore || type === MSG.debug || type === MSG.unimplemented)) {
    return isWellFormed(payload) ? { state } : close(state)
  }
  if (stage.name === 'exchange' && stage.isNextSkipped) {
    return { state: { ...state, stage: { ...stage, isNextSkipped: false } } }
  }

  if (stage.name === 'auth') {
    // OpenSSH counts anew after any NEWKEYS, even one that it does not want.
    const counted = type === MSG.newKeys && stage.isStrict ? restarted(state) : state
    return onAuthMessage(counted, payload, sequence, personality, context)
  }
  if (stage.name === 'kexinit' && type === MSG.kexInit) {
    return onKexInit(state, stage.serverInit, payload, sequence, personality, context)
  }
  if (stage.name === 'exchange' && type === stage.method.expects) {
    return onExchange(state, stage, payload, personality, context)
  }
  if (stage.name === 'newkeys' && type === MSG.newKeys) return onNewKeys(state, stage, payload)
  if (type >= TRANSPORT_END) return close(state)
  if (!isStrict) return say(state, context, unimplemented(sequence))
  const violation = `strict KEX violation: unexpected packet type ${type} (seqnr ${sequence})`
  return close(state, context, disconnect(violation))
}

/** Nobody needs what is in IGNORE, DEBUG and UNIMPLEMENTED, but the last two must be whole. */
function isWellFormed(payload: Buffer): boolean {
  const fields = reader(payload.subarray(1))
  if (payload[0] === MSG.unimplemented) fields.u32()
  if (payload[0] === MSG.debug) {
    fields.boolean()
    fields.string()
    fields.string()
  }
  return fields.isIntact
}

const restarted = (state: SshState): SshState => {
  const { protection, place } = state.inbound
  return { ...state, inbound: { protection, place: { ...place, sequence: 0 } } }
}
