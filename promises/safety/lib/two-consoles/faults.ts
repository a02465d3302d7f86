// The faults that are dealt, each with the time until every console that is left writes again.
import { setTimeout as pause } from 'node:timers/promises'
import type { Dice } from '../dice.ts'
import type { Balancer } from './balancer.ts'
import type { Changes } from './changes.ts'
import type { Cluster } from './cluster.ts'
import type { Cut } from './session.ts'
import type { RunningConsole } from '../../../rig/scenes/console.ts'

export interface FaultDeps {
  readonly dice: Dice
  readonly cluster: Cluster
  readonly changes: Changes
  /** Two, each with the balancer that leads it to the database. */
  readonly pairs: readonly Pair[]
  readonly waits: Waits
}

export interface Waits {
  /** How long the manager waits until a host counts as gone: the life of its leader's key, less up to a look. */
  readonly hostLostMs: number
  /** How often a manager looks at its server. */
  readonly lookMs: number
  /** The database is silent for so long at most; once in ten times for `silentLongMs`. */
  readonly silentMs: number
  readonly silentLongMs: number
}

/** `ttl` and `loop_wait` of a Patroni that is set to be quick. A console waits 30 s for an answer. */
export const WAITS: Waits = { hostLostMs: 20_000, lookMs: 2_000, silentMs: 8_000, silentLongMs: 32_000 }

export interface Pair {
  readonly balancer: Balancer
  console(): RunningConsole
  /** Starts the console that was killed. */
  restart(): Promise<void>
}

/** Deals the fault once; the milliseconds from it until the consoles write again. */
export type Fault = (deps: FaultDeps) => Promise<number>

export const FAULTS = {
  'console killed': killConsole,
  'console frozen in a transaction': freezeConsole,
  'primary killed': killPrimary,
  "primary's host gone": loseHost,
  'database silent': silenceDatabase,
  'answer to COMMIT cut': cutCommit,
} as const satisfies Readonly<Record<string, Fault>>

export type FaultName = keyof typeof FAULTS

/** A balancer marks a server down after three checks, each half a second after the last. */
const MARKED_DOWN_MS = 1_500
/** The server ends a transaction that waits for its console after 4 s. */
const FROZEN_LONGER_MS = 2_000
const CUTS: readonly Cut[] = ['after the commit', 'before the commit', 'meanwhile']

async function killConsole({ dice, changes, pairs, cluster }: FaultDeps): Promise<number> {
  const [victim, survivor] = deal(pairs, dice)
  let faultAt: number
  switch (dice.between(1, 3)) {
    case 1:
      faultAt = performance.now()
      await victim.console().kill()
      break
    case 2:
      await victim.balancer.inNextTransaction(() => process.kill(victim.console().pid, 'SIGKILL'))
      faultAt = performance.now()
      await victim.console().kill()
      break
    default:
      // Its touches are on its disk alone.
      for (const { balancer } of pairs) {
        balancer.route(undefined)
        balancer.endSessions()
      }
      await pause(dice.between(500, 4_000))
      await victim.console().kill()
      faultAt = performance.now()
      for (const { balancer } of pairs) balancer.route(cluster.port())
  }
  const againMs = (await changes.until(survivor.console())) - faultAt
  await victim.restart()
  return againMs
}

async function freezeConsole({ dice, changes, pairs }: FaultDeps): Promise<number> {
  const [victim, survivor] = deal(pairs, dice)
  const { pid } = victim.console()
  await victim.balancer.inNextTransaction(() => process.kill(pid, 'SIGSTOP'))
  const faultAt = performance.now()
  try {
    const againMs = (await changes.until(survivor.console())) - faultAt
    await pause(dice.between(0, FROZEN_LONGER_MS))
    return againMs
  } finally {
    process.kill(pid, 'SIGCONT')
  }
}

/** The manager starts it again, or gives its place to the standby, which once in ten times has lost its primary long before. */
async function killPrimary({ dice, changes, pairs, cluster, waits }: FaultDeps): Promise<number> {
  const isBehind = dice.between(1, 10) === 1
  if (isBehind) {
    cluster.silenceStandby()
    await pause(waits.silentLongMs)
  }
  const faultAt = performance.now()
  await cluster.killPrimary()
  await pause(dice.between(0, waits.lookMs))
  if (!isBehind && dice.between(1, 2) === 1) await cluster.restart()
  else await cluster.promote()
  for (const { balancer } of pairs) balancer.route(cluster.port())
  const againMs = (await allWrite(changes, pairs)) - faultAt
  await cluster.ensureStandby()
  return againMs
}

async function loseHost({ dice, changes, pairs, cluster, waits }: FaultDeps): Promise<number> {
  const faultAt = performance.now()
  for (const { balancer } of pairs) balancer.silence()
  await cluster.killPrimary()
  const promoted = pause(waits.hostLostMs - dice.between(0, waits.lookMs)).then(cluster.promote)
  await Promise.race([pause(MARKED_DOWN_MS + dice.between(0, 500)), promoted])
  for (const { balancer } of pairs) {
    balancer.route(undefined)
    balancer.endSessions()
  }
  await promoted
  for (const { balancer } of pairs) balancer.route(cluster.port())
  const againMs = (await allWrite(changes, pairs)) - faultAt
  await cluster.ensureStandby()
  return againMs
}

/** Counted from when it speaks again. */
async function silenceDatabase({ dice, changes, pairs, waits }: FaultDeps): Promise<number> {
  for (const { balancer } of pairs) balancer.silence()
  await pause(dice.between(1, 10) === 1 ? waits.silentLongMs : dice.between(100, waits.silentMs))
  const spokeAt = performance.now()
  for (const { balancer } of pairs) balancer.speak()
  return (await allWrite(changes, pairs)) - spokeAt
}

/** Sometimes the server also stays away for a while: the outcome cannot be asked for at once. */
async function cutCommit({ dice, changes, pairs, cluster }: FaultDeps): Promise<number> {
  const [victim] = deal(pairs, dice)
  const how = CUTS[dice.between(0, CUTS.length - 1)] ?? 'meanwhile'
  const isAway = dice.between(1, 3) === 1
  const cut = victim.balancer.cutNextCommit(how)
  const change = changes.until(victim.console())
  await cut
  if (isAway) {
    victim.balancer.route(undefined)
    await pause(dice.between(100, 3_000))
  }
  const faultAt = performance.now()
  victim.balancer.route(cluster.port())
  const againAt = await changes.until(victim.console())
  await change
  return againAt - faultAt
}

const allWrite = async (changes: Changes, pairs: readonly Pair[]): Promise<number> =>
  Math.max(...(await Promise.all(pairs.map(({ console }) => changes.until(console())))))

function deal(pairs: readonly Pair[], dice: Dice): [victim: Pair, survivor: Pair] {
  const [first, second] = pairs
  if (!first || !second) throw new Error('There are two consoles.')
  return dice.between(0, 1) === 0 ? [first, second] : [second, first]
}
