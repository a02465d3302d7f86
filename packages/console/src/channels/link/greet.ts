// HELLO: who is this? Finds or makes the Bird's row, and says what becomes of its link.
import { newNodeId } from '@rookery/kernel/ids.ts'
import { PROTOCOL, type Body, type Refusal } from '@rookery/link/messages.ts'
import type { KeyPair } from '@rookery/link/noise/keys.ts'
import { pairingPhrase, shortKeyHash } from '@rookery/link/pairing.ts'
import type { Base } from '../../base.ts'
import type { Tx } from '../../db/query.ts'
import { commissionOrQueue } from '../../stores/birds/commission.ts'
import { useEnrolment } from '../../stores/birds/enrolments.store.ts'
import {
  addBird,
  changeBird,
  countBirds,
  findBirdByKey,
  forgetSilentPending,
  type BirdRow,
} from '../../stores/birds/store.ts'
import { findFlock } from '../../stores/flocks/store.ts'
import { enrolmentHash } from './enrol.ts'
import type { FloodGuard } from './flood-guard.ts'
import { plainText } from './plain.ts'

export type Greeting =
  | { readonly refused: Refusal; readonly message: string; readonly retryAfterS?: number }
  | { readonly nodeId: string; readonly wasOffline: boolean }

export interface Greeted {
  readonly publicKey: Buffer
  readonly hello: Body<'HELLO'>
  readonly address: string
}

export interface Greeter extends Pick<Base, 'reader' | 'writer' | 'vault' | 'world'> {
  readonly consoleKey: KeyPair
  readonly guard: FloodGuard
}

const MOST_PENDING = 10_000
const TOMBSTONE_MS = 86_400_000
/** A pending Bird that was silent for so long makes room when the list is full. */
const SILENT_MS = 86_400_000

const refuse = (refused: Refusal, message: string, retryAfterS?: number): Greeting => ({
  refused,
  message,
  ...(retryAfterS !== undefined && { retryAfterS }),
})
const tooMany = refuse(
  'too-many',
  'Too many new Birds wait for this console. Try again later, or use an enrolment code.',
  600,
)
const badCode = refuse('bad-enrolment', 'This enrolment code is unknown, expired or used up.')

/** Rejects with `unavailable` while the database cannot be written. */
export async function greet(greeter: Greeter, { publicKey, hello, address }: Greeted): Promise<Greeting> {
  if (hello.protocol !== PROTOCOL) {
    return refuse('protocol', `This console speaks protocol ${PROTOCOL}, not ${hello.protocol}.`)
  }
  const { reader, writer, guard, consoleKey } = greeter
  const key = publicKey.toString('hex')
  const known = await findBirdByKey(reader, key)
  if (!known && hello.enrol === undefined && !guard.admits(address)) return tooMany
  // Costly by design, so never for a key that is known. Whoever brings a code need not be compared by a person.
  const phrase =
    known || hello.enrol !== undefined ? '' : await pairingPhrase(publicKey, consoleKey.publicKey)
  const greeting = await writer.write(async (tx) => {
    const row = await findBirdByKey(tx.query, key)
    const facts = factsOf(hello, address, greeter.world.clock.now(), row?.environment)
    return row ? meet(tx, greeter, row, hello, facts) : welcome(tx, greeter, publicKey, hello, facts, phrase)
  })
  // Who guesses codes is slowed down like any stranger.
  if (greeting === badCode && !guard.admits(address)) return tooMany
  return greeting
}

type Facts = ReturnType<typeof factsOf>

/** What the Bird says of itself; what people said of its environment stays. */
const factsOf = (hello: Body<'HELLO'>, address: string, now: number, environment = '{}') => ({
  version: plainText(hello.version),
  ip_address: plainText(hello.device.ip),
  mac_address: plainText(hello.device.mac),
  netmask: plainText(hello.device.netmask),
  public_ip: plainText(address),
  environment: JSON.stringify({
    ...(JSON.parse(environment) as Record<string, string>),
    os: plainText(hello.device.os),
  }),
  live: 1,
  last_seen_at: now,
  updated_at: now,
  booted_at: now - hello.uptimeS * 1000,
  service_count: hello.serviceCount,
  applied_tag: plainText(hello.settings.tag),
  was_rollback: hello.wasRollback ? 1 : 0,
})

/** A key that nobody has seen before. */
async function welcome(
  tx: Tx,
  greeter: Greeter,
  publicKey: Buffer,
  hello: Body<'HELLO'>,
  facts: Facts,
  phrase: string,
): Promise<Greeting> {
  const now = facts.last_seen_at
  let flockId: string | undefined
  if (hello.enrol !== undefined) {
    flockId = await redeem(tx, greeter, hello.enrol, now)
    if (flockId === undefined) return badCode
  } else if ((await countBirds(tx.query, 'pending')) >= MOST_PENDING) {
    await forgetSilentPending(tx.query, now - SILENT_MS)
    if ((await countBirds(tx.query, 'pending')) >= MOST_PENDING) return tooMany
  }
  const nodeId = newNodeId(greeter.world.random)
  await addBird(tx, {
    node_id: nodeId,
    public_key: publicKey.toString('hex'),
    device_id_hash: shortKeyHash(publicKey),
    state: 'pending',
    flock_id: '',
    name: nameOf(hello, nodeId),
    pairing_phrase: phrase,
    first_seen_at: now,
    queued_at: now,
    last_seen_at: now,
    updated_at: now,
  })
  await changeBird(tx.query, nodeId, facts)
  if (flockId !== undefined) await enter(tx, greeter, publicKey.toString('hex'), flockId)
  return { nodeId, wasOffline: false }
}

/** A key that has been here before. */
async function meet(
  tx: Tx,
  greeter: Greeter,
  row: BirdRow,
  hello: Body<'HELLO'>,
  facts: Facts,
): Promise<Greeting> {
  const now = facts.last_seen_at
  if (row.state === 'removed') return refuse('revoked', 'This Bird was decommissioned.')
  const isWaiting = row.state === 'pending' || row.state === 'cancelled'
  let flockId: string | undefined
  if (isWaiting && hello.enrol !== undefined) {
    flockId = await redeem(tx, greeter, hello.enrol, now)
    if (flockId === undefined) return badCode
  }
  const remainingMs = (row.tombstone_at ?? 0) + TOMBSTONE_MS - now
  if (row.state === 'cancelled' && flockId === undefined && remainingMs > 0) {
    return refuse(
      'cancelled',
      'The commission of this Bird was cancelled. It may ask again after a day.',
      Math.min(86_400, Math.ceil(remainingMs / 1000)),
    )
  }
  await changeBird(tx.query, row.node_id, {
    ...facts,
    // Settings name a registered Bird; before that it names itself.
    ...(isWaiting && { name: nameOf(hello, row.node_id), state: 'pending' as const, tombstone_at: null }),
  })
  if (flockId !== undefined) await enter(tx, greeter, row.public_key, flockId)
  return { nodeId: row.node_id, wasOffline: row.offline_since !== null }
}

/** The Flock that this code leads to; undefined when the code is no good, or the Flock is gone. */
async function redeem(tx: Tx, { vault }: Greeter, secret: string, now: number): Promise<string | undefined> {
  const flockId = await useEnrolment(tx.query, enrolmentHash(vault, secret), now)
  return flockId !== undefined && (await findFlock(tx.query, 'all', flockId)) ? flockId : undefined
}

async function enter(tx: Tx, { world }: Greeter, publicKey: string, flockId: string): Promise<void> {
  const row = await findBirdByKey(tx.query, publicKey)
  if (row) await commissionOrQueue(tx, [row], flockId, world)
}

const nameOf = (hello: Body<'HELLO'>, nodeId: string): string =>
  plainText(hello.device.name).trim() || `bird-${nodeId.slice(0, 6)}`
