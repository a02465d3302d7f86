// HELLO: finds or makes the Bird's row by its key, and answers what becomes of the link.
import { limit } from '@rookery/kernel/limit.ts'
import { newNodeId } from '@rookery/kernel/ids.ts'
import { PROTOCOL, type Body } from '@rookery/link/messages.ts'
import type { KeyPair } from '@rookery/link/noise/keys.ts'
import { pairingPhrase, shortKeyHash } from '@rookery/link/pairing.ts'
import type { AppContext } from '../../app-context.ts'
import type { Tx } from '../../db/query.ts'
import { commissionOrQueue } from '../../stores/birds/commission.ts'
import { std } from '@rookery/kernel/time.ts'
import { findEnrolment, useEnrolment } from '../../stores/birds/enrolments.store.ts'
import {
  addBird,
  changeBird,
  countBirds,
  findBird,
  findBirdByKey,
  removeSilentPending,
  type BirdRow,
} from '../../stores/birds/store.ts'
import { findFlock } from '../../stores/flocks/store.ts'
import { enrolmentHash } from './enrol.ts'
import type { FloodGuard } from './flood-guard.ts'
import { bootedAt } from './bird-session/store-heartbeat.ts'
import { decoyColumns } from './decoy-columns.ts'
import type { AdmitsHello } from './hello-rate.ts'
import { addressesIn, sanitizeText } from './sanitize.ts'

export interface HelloDeps extends Pick<AppContext, 'reader' | 'writer' | 'vault' | 'world'> {
  readonly consoleKey: KeyPair
  readonly guard: FloodGuard
  readonly admitsHello: AdmitsHello
}

export interface ReceivedHello {
  readonly publicKey: Buffer
  readonly hello: Body<'HELLO'>
  readonly address: string
}

export type HelloOutcome =
  | { readonly refused: Body<'REFUSED'> }
  | { readonly nodeId: string; readonly wasOffline: boolean }

/** Birds that wait to be registered; those silent for a day make room. */
const PENDING_BIRDS = limit('link_pending_birds', 10_000)
/** For so long after its commission was cancelled, a Bird is refused. */
const TOMBSTONE_MS = 86_400_000
/** Pending Birds that were silent for so long are removed when the list is full. */
const SILENT_MS = 86_400_000

const REVOKED: HelloOutcome = { refused: { reason: 'revoked', message: 'This Bird was decommissioned.' } }
const TOO_MANY: HelloOutcome = {
  refused: {
    reason: 'too-many',
    message: 'Too many new Birds wait for this console. Try again later, or use an enrolment code.',
    retryAfterS: 600,
  },
}
const TOO_OFTEN: HelloOutcome = {
  refused: { reason: 'too-many', message: 'This Bird connects too often.', retryAfterS: 15 },
}
const badCode = (message: string): HelloOutcome => ({ refused: { reason: 'bad-enrolment', message } })

/** Rejects with `unavailable` while the database cannot be written. */
export async function identify(deps: HelloDeps, received: ReceivedHello): Promise<HelloOutcome> {
  const { publicKey, hello, address } = received
  if (hello.protocol !== PROTOCOL) {
    const message = `This console speaks protocol ${PROTOCOL}, not ${hello.protocol}.`
    return { refused: { reason: 'protocol', message } }
  }
  const { reader, writer, guard, consoleKey } = deps
  const key = publicKey.toString('hex')
  if (!deps.admitsHello(key)) return TOO_OFTEN
  const known = await findBirdByKey(reader, key)
  const isStranger = known === undefined && hello.enrol === undefined
  if (isStranger && !guard.admits(address)) return TOO_MANY
  // The phrase is costly by design: it is made only for a Bird that a person must compare.
  const phrase = isStranger ? await pairingPhrase(publicKey, consoleKey.publicKey) : ''
  const outcome = await writer.write(async (tx) => {
    const row = await findBirdByKey(tx.query, key)
    return row ? updateKnown(tx, deps, row, received) : addUnknown(tx, deps, received, phrase)
  })
  // An address that guesses codes is slowed down like one that brings new keys.
  const isBadCode = 'refused' in outcome && outcome.refused.reason === 'bad-enrolment'
  if (isBadCode && !guard.admits(address)) return TOO_MANY
  return outcome
}

async function addUnknown(
  tx: Tx,
  deps: HelloDeps,
  { publicKey, hello, address }: ReceivedHello,
  phrase: string,
): Promise<HelloOutcome> {
  const now = deps.world.clock.now()
  let flockId: string | undefined
  if (hello.enrol !== undefined) {
    flockId = await redeemEnrolment(tx, deps, hello.enrol, now)
    if (flockId === undefined) return explainCode(tx, deps, hello.enrol, now)
  } else if (!(await hasRoomForPending(tx, now))) return TOO_MANY
  const nodeId = newNodeId(deps.world.random)
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
  await changeBird(
    tx.query,
    nodeId,
    reportedColumns(hello, address, now, { environment: '{}', state: 'pending' }),
  )
  if (flockId !== undefined) await commissionEnrolled(tx, deps, nodeId, flockId)
  return { nodeId, wasOffline: false }
}

async function updateKnown(
  tx: Tx,
  deps: HelloDeps,
  row: BirdRow,
  { hello, address }: ReceivedHello,
): Promise<HelloOutcome> {
  const now = deps.world.clock.now()
  if (row.state === 'removed') return REVOKED
  const mayEnrol = row.state === 'pending' || row.state === 'cancelled'
  let flockId: string | undefined
  if (mayEnrol && hello.enrol !== undefined) {
    flockId = await redeemEnrolment(tx, deps, hello.enrol, now)
    if (flockId === undefined) return explainCode(tx, deps, hello.enrol, now)
  }
  const refusedForMs = (row.tombstone_at ?? 0) + TOMBSTONE_MS - now
  if (row.state === 'cancelled' && flockId === undefined && refusedForMs > 0) {
    return {
      refused: {
        reason: 'cancelled',
        message: 'The commission of this Bird was cancelled. It may ask again after a day.',
        retryAfterS: Math.min(86_400, Math.ceil(refusedForMs / 1000)),
      },
    }
  }
  await changeBird(tx.query, row.node_id, {
    ...reportedColumns(hello, address, now, row),
    // Settings name a registered Bird; before that it names itself.
    ...(mayEnrol && { name: nameOf(hello, row.node_id), state: 'pending' as const, tombstone_at: null }),
  })
  if (flockId !== undefined) await commissionEnrolled(tx, deps, row.node_id, flockId)
  return { nodeId: row.node_id, wasOffline: row.offline_since !== null }
}

/** The columns that HELLO reports; the cloud fields that people set in `environment` stay. */
const reportedColumns = (
  hello: Body<'HELLO'>,
  address: string,
  now: number,
  { environment, state }: Pick<BirdRow, 'environment' | 'state'>,
) => ({
  version: sanitizeText(hello.version),
  ip_address: addressesIn(hello.device.ip),
  mac_address: sanitizeText(hello.device.mac),
  netmask: sanitizeText(hello.device.netmask),
  sensor: sanitizeText(hello.device.sensor),
  public_ip: sanitizeText(address),
  environment: JSON.stringify({
    ...(JSON.parse(environment) as Record<string, string>),
    os: sanitizeText(hello.device.os),
  }),
  live: 1,
  last_seen_at: now,
  updated_at: now,
  booted_at: bootedAt(hello, now),
  ...decoyColumns(hello, state === 'registered'),
  applied_tag: sanitizeText(hello.settings.tag),
  was_rollback: hello.wasRollback ? 1 : 0,
  takes_files: hello.files ?? 0,
  takes_updates: hello.updates ?? 0,
})

async function hasRoomForPending(tx: Tx, now: number): Promise<boolean> {
  const isFull = async (): Promise<boolean> => (await countBirds(tx.query, 'pending')) >= PENDING_BIRDS.max
  if (!(await isFull())) return true
  PENDING_BIRDS.hit()
  await removeSilentPending(tx.query, now - SILENT_MS)
  return !(await isFull())
}

/** Uses the code; answers its Flock, or undefined when the code is no good or its Flock is gone. */
async function redeemEnrolment(
  tx: Tx,
  { vault }: HelloDeps,
  secret: string,
  now: number,
): Promise<string | undefined> {
  const flockId = await useEnrolment(tx.query, enrolmentHash(vault, secret), now)
  return flockId !== undefined && (await findFlock(tx.query, 'all', flockId)) ? flockId : undefined
}

/** Why the code is no good. Nobody guesses a code, so that the answer gives none away. */
async function explainCode(tx: Tx, { vault }: HelloDeps, secret: string, now: number): Promise<HelloOutcome> {
  const row = await findEnrolment(tx.query, enrolmentHash(vault, secret))
  if (!row) return badCode('The code is unknown here, was revoked, or expired long ago.')
  if (row.expires_at <= now) return badCode(`The code expired at ${std(row.expires_at, 'UTC')}.`)
  return badCode(
    row.uses_left > 0 ? 'The Flock of the code is gone.' : 'The code is used up: it let in its last Bird.',
  )
}

async function commissionEnrolled(
  tx: Tx,
  { world }: HelloDeps,
  nodeId: string,
  flockId: string,
): Promise<void> {
  const row = await findBird(tx.query, 'all', nodeId)
  if (row) await commissionOrQueue(tx, [row], flockId, world)
}

const nameOf = (hello: Body<'HELLO'>, nodeId: string): string =>
  sanitizeText(hello.device.name).trim() || `bird-${nodeId.slice(0, 6)}`
