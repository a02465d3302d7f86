// The key exchange, from the client's KEXINIT to its NEWKEYS (RFC 4253, 7 and 8).
import { sourceOf } from '../../../host/source.ts'
import type { SessionContext, Step } from '../../../session/session.ts'
import { ciphers } from './cipher/ciphers.ts'
import type { Protection } from './cipher/protection.ts'
import { message, string } from './codec/fields.ts'
import { readKexInit } from './codec/kexinit.ts'
import { disconnect, MSG } from './codec/messages.ts'
import { withNewKeys } from './codec/packet.ts'
import { extInfo } from './ext-info.ts'
import { hostKey } from './host-keys/host-keys.ts'
import { digest, keySource } from './kex/keys.ts'
import type { KexOutcome, KexStep } from './kex/method.ts'
import { isStrict, negotiate } from './negotiate.ts'
import { packetWriter } from './packet-writer.ts'
import type { ExchangeStage, SshConfig, SshState, Stage } from './state.ts'
import { close, closeWith, sendPackets } from './steps.ts'

/** `sequence`: the number of the packet with the KEXINIT. */
export function onKexInit(
  state: SshState,
  { offer, serverInit }: Extract<Stage, { name: 'kexinit' }>,
  payload: Buffer,
  sequence: number,
  { budget }: SshConfig,
  context: SessionContext,
): Step<SshState> {
  const client = readKexInit(payload)
  if (!client) return close(state)
  if (sequence !== 0 && isStrict(client, offer)) {
    return closeWith(state, context, disconnect('strict KEX violation: KEXINIT was not the first packet'))
  }
  const negotiated = negotiate(client, offer)
  // A client cannot exchange keys again before it is logged in, so a connection has one exchange at most.
  if (!negotiated) return close(state)
  const delayMs = budget.reserve(sourceOf(context.src.host), context.now())
  const stage: ExchangeStage = {
    name: 'exchange',
    clientInit: payload,
    serverInit,
    negotiated,
    method: negotiated.method,
    ignoresNext: negotiated.isGuessWrong,
  }
  return { state: { ...state, stage }, delayMs }
}

/** The message that the method waits for. */
export function onExchange(
  state: SshState,
  stage: ExchangeStage,
  payload: Buffer,
  config: SshConfig,
  context: SessionContext,
): Step<SshState> {
  return conclude(state, stage, stage.method.receive(payload, context.random), config, context)
}

function conclude(
  state: SshState,
  stage: ExchangeStage,
  result: KexStep,
  config: SshConfig,
  context: SessionContext,
): Step<SshState> {
  switch (result.kind) {
    case 'refused':
      return close(state)
    case 'continue':
      return sendPackets({ ...state, stage: { ...stage, method: result.next } }, context, result.send)
    case 'later':
      return {
        state,
        later: async () => conclude(state, stage, await result.result(), config, context),
      }
    case 'done':
      return finishExchange(state, stage, result.outcome, config, context)
  }
}

/** Sends in one write: the reply, NEWKEYS, and, already under the new keys, EXT_INFO. */
function finishExchange(
  state: SshState,
  { negotiated, clientInit, serverInit }: ExchangeStage,
  { hashed, secret, replyType, answer }: KexOutcome,
  { version }: SshConfig,
  context: SessionContext,
): Step<SshState> {
  const { hash } = negotiated.method
  const key = hostKey(context.derive, negotiated.hostKey)
  const idents = [
    string(Buffer.from(state.remoteVersion ?? '', 'latin1')),
    string(`SSH-2.0-${version.software}`),
  ]
  const inits = [string(clientInit), string(serverInit)]
  const exchangeHash = digest(hash, ...idents, ...inits, string(key.blob), hashed, secret)
  const signature = key.sign(negotiated.hostKey, exchangeHash)
  const protection = (direction: 'toServer' | 'toClient'): Protection => {
    const { cipher, mac } = negotiated[direction]
    return ciphers[cipher]!.build(keySource(hash, secret, exchangeHash, exchangeHash, direction), mac)
  }

  const { isStrict, acceptsExtInfo } = negotiated
  const writer = packetWriter(state.outbound, context.random)
  writer.add(message(replyType, string(key.blob), answer, string(signature)))
  writer.add(message(MSG.newKeys))
  writer.rekey(protection('toClient'), isStrict)
  if (acceptsExtInfo) writer.add(extInfo(version.extensions))
  const stage: Stage = { name: 'newkeys', next: protection('toServer'), isStrict, acceptsExtInfo }
  return { state: { ...state, stage, outbound: writer.direction }, send: writer.bytes() }
}

export function onNewKeys(
  state: SshState,
  stage: Extract<Stage, { name: 'newkeys' }>,
  payload: Buffer,
): Step<SshState> {
  if (payload.length !== 1) return close(state)
  const inbound = withNewKeys(state.inbound, stage.next, stage.isStrict)
  const { isStrict, acceptsExtInfo } = stage
  return { state: { ...state, inbound, stage: { name: 'auth', isStrict, acceptsExtInfo } } }
}
