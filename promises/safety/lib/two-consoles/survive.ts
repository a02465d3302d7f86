// G6: two consoles on one PostgreSQL, and one fault after the other while visitors come.
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startConsole, type RunningConsole } from '../../../rig/scenes/console.ts'
import { freshFolder, removeFolder } from '../../../rig/folder.ts'
import { openReceiver, type AlertReceiver } from '../../../rig/scenes/receiver.ts'
import type { Dice } from '../dice.ts'
import { openBalancer, type Balancer } from './balancer.ts'
import { openChanges } from './changes.ts'
import { startCluster, type Cluster } from './cluster.ts'
import { FAULTS, WAITS, type FaultName, type Pair, type Waits } from './faults.ts'
import { judgeConsoles, type JudgedConsoles } from './judge.ts'
import { sendVisitors } from './visitors.ts'

export interface SurvivedFaults extends JudgedConsoles {
  /** Of each fault, the milliseconds until the consoles wrote again. */
  readonly againMs: ReadonlyMap<FaultName, readonly number[]>
  readonly answered: number
  readonly unanswered: number
  readonly incidents: number
  /** The longest that a visitor waited for an answer, ms. */
  readonly longestMs: number
}

export interface FaultsOptions {
  /** How often each fault is dealt. */
  readonly each: number
  readonly dice: Dice
  readonly waits?: Waits
  /** Settings of PostgreSQL, such as `fsync=off`. */
  readonly settings?: readonly string[]
  readonly onFault?: (done: number, of: number, name: FaultName, againMs: number) => void
}

/** A receiver gets 60 alerts a minute one by one: more Flocks, each with its receiver, get more. */
const FLOCKS = 10
const TOKENS_PER_FLOCK = 4
/** After the last fault; what is left then is missing. */
const SETTLE_MS = 60_000
const MAX_BETWEEN_MS = 1_000

export async function surviveFaults(options: FaultsOptions): Promise<SurvivedFaults> {
  await using opened = new AsyncDisposableStack()
  const folder = freshFolder()
  opened.defer(() => removeFolder(folder))
  const home = join(folder, 'postgres')
  mkdirSync(home)
  // The servers run as a user of their own where this is root.
  chmodSync(folder, 0o755)
  const cluster = await startCluster(home, options.settings)
  opened.defer(() => cluster.stop())
  const receiver = await openReceiver()
  opened.defer(() => receiver.stop())
  const masterKey = randomBytes(32).toString('hex')
  const pairs: Pair[] = []
  for (const name of ['first', 'second']) {
    const balancer = await openBalancer(cluster.port())
    opened.defer(() => balancer.stop())
    const pair = await startPair({ dataDir: join(folder, name), balancer, cluster, masterKey })
    opened.defer(() => pair.console().kill())
    pairs.push(pair)
  }
  const consoles = pairs.map(({ console }) => console())
  const [first] = consoles
  if (!first) throw new Error('There are two consoles.')
  return await survive(options, { cluster, receiver, pairs, paths: await plant(first, receiver) })
}

interface SurviveDeps {
  readonly cluster: Cluster
  readonly receiver: AlertReceiver
  readonly pairs: readonly Pair[]
  readonly paths: readonly string[]
}

async function survive(
  { each, dice, waits = WAITS, onFault }: FaultsOptions,
  { cluster, receiver, pairs, paths }: SurviveDeps,
): Promise<SurvivedFaults> {
  const changes = openChanges()
  const againMs = new Map<FaultName, number[]>()
  await using opened = new AsyncDisposableStack()
  const visitors = sendVisitors(
    pairs.map(({ console }) => console().tokensPort),
    paths,
  )
  opened.defer(async () => void (await visitors.leave()))
  const order = shuffled(each, dice)
  for (const [nth, name] of order.entries()) {
    await pause(dice.between(0, MAX_BETWEEN_MS))
    const took = await FAULTS[name]({ dice, cluster, changes, pairs, waits })
    againMs.set(name, [...(againMs.get(name) ?? []), took])
    onFault?.(nth + 1, order.length, name, took)
    // The next fault finds both at work.
    for (const { console } of pairs) await changes.until(console())
  }
  const { answered, unanswered } = await visitors.leave()
  await settled(cluster, pairs)
  const judged = await judgeConsoles(cluster, {
    answered: answered.keys(),
    changes: await changes.answered(),
    alerts: receiver.alerts,
  })
  return {
    ...judged,
    againMs,
    answered: answered.size,
    unanswered,
    incidents: new Set(receiver.alerts.map(({ source }) => source)).size,
    // A full run has more answers than a call takes arguments.
    longestMs: [...answered.values()].reduce((longest, ms) => Math.max(longest, ms), 0),
  }
}

interface PairOptions {
  readonly dataDir: string
  readonly balancer: Balancer
  readonly cluster: Cluster
  readonly masterKey: string
}

async function startPair({ dataDir, balancer, cluster, masterKey }: PairOptions): Promise<Pair> {
  mkdirSync(dataDir)
  const env = {
    ROOKERY_DATABASE_URL: `postgres://rookery:rookery@127.0.0.1:${balancer.port}/${cluster.database}`,
    ROOKERY_MASTER_KEY: masterKey,
    ROOKERY_OUTBOUND_ALLOW: '127.0.0.0/8',
  }
  let console: RunningConsole = await startConsole({ dataDir, env })
  const { port, tokensPort, dnsPort } = console
  return {
    balancer,
    console: () => console,
    async restart() {
      console = await startConsole({ dataDir, env, ports: { port, tokensPort, dnsPort } })
    },
  }
}

/** Flocks with a receiver of their own; the paths of their tokens, in turn. */
async function plant(console: RunningConsole, receiver: AlertReceiver): Promise<string[]> {
  const tokens: string[][] = []
  for (let nth = 0; nth < FLOCKS; nth++) {
    const { flock_id } = await made<{ flock_id: string }>(console, '/flock/create', { name: `Flock ${nth}` })
    const url = `${receiver.url}/${nth}`
    await made(console, '/flock/settings/webhooks/generic/add', { flock_id, url })
    await made(console, '/flock/settings/webhooks/enable', { flock_id })
    const planted: string[] = []
    for (let token = 0; token < TOKENS_PER_FLOCK; token++) {
      const params = { kind: 'http', memo: `of Flock ${nth}`, flock_id }
      const { decoytoken } = await made<{ decoytoken: { url: string } }>(
        console,
        '/decoytoken/create',
        params,
      )
      planted.push(new URL(decoytoken.url).pathname)
    }
    tokens.push(planted)
  }
  return Array.from({ length: TOKENS_PER_FLOCK }, (_, at) =>
    tokens.map((ofFlock) => ofFlock[at] ?? ''),
  ).flat()
}

async function made<T>(console: RunningConsole, path: string, params: Record<string, string>): Promise<T> {
  const { status, text, json } = await console.post(path, params)
  if (status !== 200) throw new Error(`${path} was refused: ${status} ${text}`)
  return json as T
}

/** Each fault as often as the others, in an order of chance (Fisher and Yates). */
function shuffled(each: number, dice: Dice): FaultName[] {
  const names = Object.keys(FAULTS) as FaultName[]
  const order = names.flatMap((name) => Array.from({ length: each }, () => name))
  for (let at = order.length - 1; at > 0; at--) {
    const other = dice.between(0, at)
    const [one, two] = [order[at], order[other]]
    if (one && two) [order[at], order[other]] = [two, one]
  }
  return order
}

/** Every touch is delivered by its console, and no alert waits to be sent. */
async function settled(cluster: Cluster, pairs: readonly Pair[]): Promise<void> {
  const until = performance.now() + SETTLE_MS
  while (performance.now() < until) {
    const waiting = await Promise.all(pairs.map(({ console }) => waitingTouches(console())))
    const [row] = await cluster.query<{ n: number }>(
      "SELECT count(*)::int AS n FROM delivery WHERE state = 'waiting'",
    )
    if (waiting.every((n) => n === 0) && row?.n === 0) return
    await pause(100)
  }
}

async function waitingTouches({ port }: RunningConsole): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`)
  return Number(/^rookery_touches_waiting (\d+)/m.exec(await answer.text())?.[1])
}
