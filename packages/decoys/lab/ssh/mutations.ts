// What clients of SSH send, changed: in the clear up to the key exchange, and under keys behind it.
import { byWord } from '@rookery/kernel/by-word.ts'
import { latin1, type Draw } from '../../test/draw.ts'
import { changeBytes } from '../../test/mutations/changes.ts'
import { feed } from '../../test/mutations/feed.ts'
import { sessionTarget, type MutationTarget, type MutationTargets } from '../../test/mutations/target.ts'
import { deriveFrom, testContext } from '../../test/session-context.ts'
import { sessionRunner } from '../../src/session/session-runner.ts'
import { unencrypted } from '../../src/services/ssh/protocol/cipher/protection.ts'
import { message, mpint, string, u32 } from '../../src/services/ssh/protocol/codec/fields.ts'
import { MSG } from '../../src/services/ssh/protocol/codec/messages.ts'
import { newDirection, writePacket } from '../../src/services/ssh/protocol/codec/packet.ts'
import { sshSession } from '../../src/services/ssh/products/openssh/session.ts'
import type { SshConfig } from '../../src/services/ssh/protocol/state.ts'
import { versions } from '../../src/services/ssh/products/openssh/versions/all.ts'
import { CLIENT_IDENT, clientKexInit, usualOffer } from './client.ts'
import { withoutDelays } from './decoy.ts'
import { exchangeKeys, type Keyed } from './keyed.ts'
import { keyShare } from './key-share.ts'
import { lateMessages } from './openssh/late-probes.ts'

const change = changeBytes([MSG.kexInit, MSG.newKeys, MSG.kexFirst, MSG.authRequest, 0x0100_0000])
const configs = versions.map((version): SshConfig => ({ ...withoutDelays, version }))
/** A banner, refusals, and the texts of a disconnect. */
const MAX_ANSWER_BYTES = 20_000

const inTheClear = (payload: Buffer): Buffer =>
  writePacket(payload, newDirection(unencrypted), (length) => Buffer.alloc(length)).bytes

/** What a client sends first by a method: its share of a key, as far as a test makes one. */
const FIRST_MESSAGES = byWord<() => Buffer>({
  'curve25519-sha256': () => message(MSG.kexFirst, string(keyShare('curve25519-sha256').publicKey)),
  'sntrup761x25519-sha512@openssh.com': () =>
    message(MSG.kexFirst, string(keyShare('sntrup761x25519-sha512@openssh.com').publicKey)),
  'ecdh-sha2-nistp256': () =>
    message(MSG.kexFirst, string(Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 7)]))),
  'diffie-hellman-group14-sha256': () => message(MSG.kexFirst, mpint(Buffer.alloc(256, 7))),
  'diffie-hellman-group-exchange-sha256': () => message(MSG.gexRequest, u32(2_048), u32(2_048), u32(2_048)),
})
const METHODS = Object.keys(FIRST_MESSAGES)

/** Up to the first message under keys, whose keys nobody has. */
function beginning(draw: Draw): readonly Buffer[] {
  const method = draw.pick(METHODS)
  return [
    latin1(`${CLIENT_IDENT}\r\n`),
    inTheClear(clientKexInit({ ...usualOffer, kex: [method, 'kex-strict-c-v00@openssh.com'] })),
    inTheClear(FIRST_MESSAGES[method]!()),
    inTheClear(Buffer.from([MSG.newKeys])),
  ]
}

const servers = configs.map((config) => sessionRunner(sshSession(config)))

const derive = deriveFrom('bird-1')
/** Of each version, with each of its ciphers and each of its MACs in turn; the keys of one are exchanged once. */
const offers = configs.flatMap((config) =>
  config.version.offer.ciphers.map((cipher, at) => {
    const { macs } = config.version.offer
    return { config, offer: { ...usualOffer, ciphers: [cipher], macs: [macs[at % macs.length]!] } }
  }),
)
const exchanged = new Map<(typeof offers)[number], Promise<Keyed>>()

function keyedBy(offer: (typeof offers)[number]): Promise<Keyed> {
  const known = exchanged.get(offer) ?? exchangeKeys(offer.config, offer.offer, testContext({ derive }))
  exchanged.set(offer, known)
  return known
}

/** Most are changed before they are sealed, since a wrong tag ends the connection. */
const AFTER_SEALING = 0.1
const LEFT = 0.3

const underKeys: MutationTarget = {
  async converse(draw) {
    const { definition, state, outbound } = await keyedBy(draw.pick(offers))
    const context = testContext({ derive, random: (length) => latin1(draw.bytes(length)) })
    let direction = outbound
    let frames = 0
    const [, , ...payloads] = draw.pick(lateMessages)
    const packets = payloads.map((payload) => {
      const isChanged = !draw.chance(LEFT)
      const isAfter = isChanged && draw.chance(AFTER_SEALING)
      if (isChanged) frames += 1
      const written = writePacket(
        isChanged && !isAfter ? change(draw, payload) : payload,
        direction,
        context.random,
      )
      ;({ direction } = written)
      return isAfter ? change(draw, written.bytes) : written.bytes
    })
    const { state: last, sent } = await feed(definition, state, packets, context)
    definition.closed?.(last, context)
    const fault = sent.length > MAX_ANSWER_BYTES ? `answers of ${sent.length} bytes` : undefined
    return { frames, answerBytes: sent.length, ...(fault !== undefined && { fault }) }
  },
  leastMeanAnswer: 25,
}

export const mutations: MutationTargets = {
  ssh: sessionTarget({
    server: (draw) => draw.pick(servers),
    segments: beginning,
    change,
    mostAnswerBytes: MAX_ANSWER_BYTES,
    leastMeanAnswer: 300,
  }),
  'ssh under keys': underKeys,
}
