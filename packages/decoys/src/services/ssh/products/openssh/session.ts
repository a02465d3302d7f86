// The SSH server as a pure state machine: identification, key exchange, authentication. No login succeeds.
import { readable } from '../../../../session/readable.ts'
import type { SessionContext, SessionDefinition, Step } from '../../../../session/session.ts'
import { onAuthMessage } from './auth.ts'
import { unencrypted } from '../../protocol/cipher/protection.ts'
import { reader } from '../../protocol/codec/fields.ts'
import { readIdent, type Ident } from '../../protocol/codec/ident.ts'
import { kexInit } from '../../protocol/codec/kexinit.ts'
import { disconnect, MSG, unimplemented } from '../../protocol/codec/messages.ts'
import {
  advance,
  MAX_PACKET_BYTES,
  newDirection,
  readPacket,
  restartSequence,
  type PacketFrame,
} from '../../protocol/codec/packet.ts'
import { compatOf, compatOffer } from './compat.ts'
import { below, startDelayMs } from './delays.ts'
import { onExchange, onKexInit, onNewKeys } from '../../protocol/exchange.ts'
import { prepareHostKeys } from '../../protocol/host-keys/host-keys.ts'
import type { SshConfig, SshState } from '../../protocol/state.ts'
import { close, closeWith, sendPackets } from '../../protocol/steps.ts'

/** OpenSSH's LoginGraceTime, and what some versions add to it at most, by chance. */
const GRACE_MS = 120_000
const GRACE_JITTER_MS = 4_000

export type SshFrame = Ident | PacketFrame

export function sshSession(config: SshConfig): SessionDefinition<SshState, SshFrame> {
  const { version } = config
  return {
    limits: { frameBytes: 4 + MAX_PACKET_BYTES + 64, idleMs: GRACE_MS + GRACE_JITTER_MS },

    decode: (bytes, state) =>
      state.stage.name === 'ident' ? readIdent(bytes) : readPacket(bytes, state.inbound),

    open(context) {
      // An error shows again where the key is used, and there it reaches the host.
      prepareHostKeys(context.derive).catch(() => {})
      const wakeMs = GRACE_MS + (version.hasGraceJitter ? below(GRACE_JITTER_MS, context) : 0)
      return {
        state: firstState(context.now() + wakeMs),
        send: `SSH-2.0-${version.software}\r\n`,
        wakeMs,
        ...(config.pamDelayMs > 0 && { delayMs: startDelayMs(context) }),
      }
    },

    step(state, frame, context) {
      if (context.now() >= state.graceEndsAt) return exceedGrace(state)
      switch (frame.kind) {
        case 'ident': {
          const identified = { ...state, remoteVersion: frame.text }
          const compat = compatOf(frame.software)
          if (compat === 'scanner') return { state: identified, close: 'close' }
          const offer = compatOffer(version.offer, compat)
          const serverInit = kexInit(offer, context.random(16))
          const stage = { name: 'kexinit', offer, serverInit } as const
          return sendPackets({ ...identified, stage }, context, serverInit)
        }
        case 'refused':
          return { state, send: `${frame.reason}\r\n`, close: 'close' }
        case 'corrupt':
          return frame.reason === undefined
            ? close(state)
            : closeWith(state, context, disconnect(frame.reason))
        case 'packet':
          return onPacket(state, frame.payload, frame.packetLength, config, context)
      }
    },

    wake: exceedGrace,
    idle: close,

    closed({ remoteVersion, auth, isGraceExceeded }, { src, now }) {
      const outcome = isGraceExceeded ? 'grace-exceeded' : auth.failures > 0 ? 'failed' : 'no-attempt'
      config.penalties?.add(src.host, outcome, now())
      if (auth.isLoginTried) return []
      const fields = { LOCALVERSION: `SSH-2.0-${version.software}` }
      if (remoteVersion === undefined) return [{ logtype: '4000', fields }]
      return [{ logtype: '4001', fields: { ...fields, REMOTEVERSION: readable(remoteVersion) } }]
    },
  }
}

const exceedGrace = (state: SshState): Step<SshState> => close({ ...state, isGraceExceeded: true })

const firstState = (graceEndsAt: number): SshState => ({
  graceEndsAt,
  isGraceExceeded: false,
  stage: { name: 'ident' },
  remoteVersion: undefined,
  inbound: newDirection(unencrypted),
  outbound: newDirection(unencrypted),
  auth: {
    isServiceAccepted: false,
    attempts: 0,
    failures: 0,
    user: '',
    service: '',
    hasExtInfo: false,
    wantsExtInfo: false,
    isLoginTried: false,
  },
})

/** Message numbers below it belong to the transport; higher ones are not allowed during a key exchange (RFC 4251, 7). */
const FIRST_AUTH_MESSAGE = 50
const FIRST_LOCAL_MESSAGE = 192

function onPacket(
  before: SshState,
  payload: Buffer,
  packetLength: number,
  config: SshConfig,
  context: SessionContext,
): Step<SshState> {
  const type = payload[0]!
  const { sequence } = before.inbound.counters
  const state: SshState = { ...before, inbound: advance(before.inbound, packetLength) }
  const { stage } = state
  const hasPing = config.version.hasPing === true
  if (type === 0 || (type >= FIRST_LOCAL_MESSAGE && !hasPing)) {
    return closeWith(state, context, disconnect(`Invalid ssh2 packet type: ${type}`))
  }
  if (type === MSG.disconnect) return close(state)
  const isStrict = isStrictExchange(state)
  if (!isStrict && (type === MSG.ignore || type === MSG.debug || type === MSG.unimplemented)) {
    return isWellFormed(payload) ? { state } : close(state)
  }
  if (!isStrict && hasPing && (type === MSG.ping || type === MSG.pong)) {
    // Since CVE-2025-26466 no ping is answered before a login.
    return isWellFormed(payload) ? { state } : close(state)
  }
  if (stage.name === 'exchange' && stage.ignoresNext) {
    return { state: { ...state, stage: { ...stage, ignoresNext: false } } }
  }

  if (stage.name === 'auth') {
    // OpenSSH restarts the sequence numbers after any NEWKEYS, even an unexpected one.
    const inbound = type === MSG.newKeys && stage.isStrict ? restartSequence(state.inbound) : state.inbound
    return onAuthMessage({ ...state, inbound }, payload, sequence, config, context)
  }
  if (stage.name === 'kexinit' && type === MSG.kexInit) {
    return onKexInit(state, stage, payload, sequence, config, context)
  }
  if (stage.name === 'exchange' && type === stage.method.expects) {
    return onExchange(state, stage, payload, config, context)
  }
  if (stage.name === 'newkeys' && type === MSG.newKeys) return onNewKeys(state, stage, payload)
  if (type >= FIRST_AUTH_MESSAGE) return close(state)
  if (!isStrict) return sendPackets(state, context, unimplemented(sequence))
  const violation = `strict KEX violation: unexpected packet type ${type} (seqnr ${sequence})`
  return closeWith(state, context, disconnect(violation))
}

/** During a strict key exchange no other message may come (OpenSSH PROTOCOL, strict key exchange). */
const isStrictExchange = ({ stage }: SshState): boolean =>
  (stage.name === 'exchange' && stage.negotiated.isStrict) || (stage.name === 'newkeys' && stage.isStrict)

/** The content of these messages is not used, but OpenSSH parses it, except that of IGNORE. */
function isWellFormed(payload: Buffer): boolean {
  const fields = reader(payload.subarray(1))
  if (payload[0] === MSG.unimplemented) fields.u32()
  if (payload[0] === MSG.ping || payload[0] === MSG.pong) fields.string()
  if (payload[0] === MSG.debug) {
    fields.boolean()
    fields.string()
    fields.string()
  }
  return fields.isIntact
}
