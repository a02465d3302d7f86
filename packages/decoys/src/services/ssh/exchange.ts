// The key exchange, from the client's KEXINIT to its NEWKEYS (RFC 4253, 7 and 8).
import type { SessionContext, Step } from '../../session.ts'
import type { Protection } from './cipher/protection.ts'
import { ciphers } from './cipher/suite.ts'
import { message, string, u32 } from './codec/fields.ts'
import { readKexInit } from './codec/kexinit.ts'
import { disconnect, MSG } from './codec/messages.ts'
import { hostKey } from './hostkeys/host-keys.ts'
import { digest, keySource } from './kex/keys.ts'
import type { Agreement } from './kex/method.ts'
import { isStrict, negotiate } from './negotiate.ts'
import { openOutbox, rekeyed } from './outbox.ts'
import { close, say } from './say.ts'
import type { Exchanging, SshPersonality, SshState, Stage } from './state.ts'

/** `sequence`: of the packet that brought the KEXINIT. */
export function onKexInit(
  state: SshState,
  serverInit: Buffer,
  payload: Buffer,
  sequence: number,
  { version }: SshPersonality,
  context: SessionContext,
): Step<SshState> {
  const client = readKexInit(payload)
  if (!client) return close(state)
  if (sequence !== 0 && isStrict(client, version.offer)) {
    return close(state, context, disconnect('strict KEX violation: KEXINIT was not the first packet'))
  }
  const agreed = negotiate(client, version.offer)
  if (!agreed) return close(state)
  const stage: Exchanging = {
    name: 'exchange',
    clientInit: payload,
    serverInit,
    agreed,
    method: agreed.method,
    isNextSkipped: agreed.isGuessWrong,
  }
  return { state: { ...state, stage } }
}

/** The message for which the method waits. */
export function onExchange(
  state: SshState,
  stage: Exchanging,
  payload: Buffer,
  personality: SshPersonality,
  context: SessionContext,
): Step<SshState> {
  const turn = stage.method.receive(payload, context.random)
  switch (turn.kind) {
    case 'refused':
      return close(state)
    case 'more':
      return say({ ...state, stage: { ...stage, method: turn.next } }, context, turn.send)
    case 'agreed':
      return agree(state, stage, turn.agreement, personality, context)
  }
}

/** Reply, NEWKEYS and, already under the new keys, EXT_INFO leave together. */
function agree(
  state: SshState,
  { agreed, clientInit, serverInit }: Exchanging,
  { hashed, secret, replyType, answer }: Agreement,
  { version }: SshPersonality,
  context: SessionContext,
): Step<SshState> {
  const { hash } = agreed.method
  const key = hostKey(context.derive, agreed.hostKey)
  const idents = [
    string(Buffer.from(state.remoteVersion ?? '', 'latin1')),
    string(`SSH-2.0-${version.software}`),
  ]
  const inits = [string(clientInit), string(serverInit)]
  const exchangeHash = digest(hash, ...idents, ...inits, string(key.blob), hashed, secret)
  const signature = key.sign(agreed.hostKey, exchangeHash)
  const protection = (way: 'toServer' | 'toClient'): Protection => {
    const { cipher, mac } = agreed[way]
    return ciphers[cipher]!.build(keySource(hash, secret, exchangeHash, exchangeHash, way), mac)
  }

  const outbox = openOutbox(state.outbound, context.random)
  outbox.add(message(replyType, string(key.blob), answer, string(signature)))
  outbox.add(message(MSG.newKeys))
  outbox.rekey(protection('toClient'), agreed.isStrict)
  if (agreed.wantsExtInfo) outbox.add(extInfo(version.extensions))
  const stage: Stage = { name: 'newkeys', next: protection('toServer'), isStrict: agreed.isStrict }
  return { state: { ...state, stage, outbound: outbox.direction }, send: outbox.bytes() }
}

const extInfo = (extensions: readonly (readonly [string, string])[]): Buffer =>
  message(MSG.extInfo, u32(extensions.length), ...extensions.flat().map(string))

export function onNewKeys(
  state: SshState,
  stage: Extract<Stage, { name: 'newkeys' }>,
  payload: Buffer,
): Step<SshState> {
  if (payload.length !== 1) return close(state)
  const inbound = rekeyed(state.inbound, stage.next, stage.isStrict)
  return { state: { ...state, inbound, stage: { name: 'auth', isStrict: stage.isStrict } } }
}
