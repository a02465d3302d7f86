// G5: malformed input at the API, the link, each decoy port and the WireGuard server of one installation, and what became of it.
import { Agent } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { startConsole, type RunningConsole } from '../../bench/lib/console.ts'
import { exchange } from '../../bench/lib/exchange.ts'
import { freshFolder, removeFolder } from '../../bench/lib/folder.ts'
import { familyMb } from '../../bench/lib/process.ts'
import type { Dice } from './dice.ts'
import { INSPECTED, inspect } from './inspector.ts'
import { openInitiations } from './initiations.ts'
import { garbage, sendGarbage, sendToLink } from './garbage.ts'
import { makeMalformed, type Malformed } from './malformed.ts'

export interface Abused {
  readonly requests: number
  /** Sessions at decoys and at the ports where tokens log in, connections to the link. */
  readonly sessions: number
  /** Mutated messages to the WireGuard server. */
  readonly datagrams: number
  /** Status → how often; 0 for a connection that ended without an answer. */
  readonly statuses: ReadonlyMap<number, number>
  /** The first few that were answered 5xx, with what was wrong with them. */
  readonly failures: readonly string[]
  readonly crashes: number
  /** Lines that the console logged as errors. */
  readonly logged: string
  /** Memory after each tenth, its garbage collected: of console and local Bird, and of the console's heap. */
  readonly residentMb: readonly number[]
  readonly heapMb: readonly number[]
}

export interface AbuseOptions {
  readonly requests: number
  readonly dice: Dice
  /** Whether memory is looked at after each tenth, which takes a second; else it goes in halves, and unweighed. */
  readonly weighs?: boolean
  readonly onTenth?: (done: number) => void
}

const LANES = 16
/** For each request, so many mutated datagrams go to the WireGuard server. */
const DATAGRAM_SHARE = 10
/** Of a hundred requests, so many go to the link, and to each decoy port. */
const LINK_SHARE = 3
const DECOY_SHARE = 2
const DECOYS = [21, 22, 80, 3306, 6379]
/** Besides those of a new Bird. */
const SWITCHED_ON = { 'dbsrv_b.enabled': true }

export async function abuse({ requests, dice, weighs = true, onTenth }: AbuseOptions): Promise<Abused> {
  const dataDir = freshFolder()
  // Below the ports that the system assigns (ephemeral ports).
  const offset = 9_000 + dice.between(0, 160) * 100
  const console = await startConsole({
    dataDir,
    command: 'up',
    nodeArgs: INSPECTED,
    env: { ROOKERY_BIRD_PORT_OFFSET: String(offset) },
  })
  const inspector = await inspect(console.said())
  const agent = new Agent({ keepAlive: true, maxSockets: LANES })
  const initiations = await openInitiations(console, dice)
  const statuses = new Map<number, number>()
  const failures: string[] = []
  let sessions = 0
  const resident: number[] = []
  const heap: number[] = []
  let crashes = 0
  try {
    await switchOn(console)
    const ports = [...DECOYS.map((port) => port + offset), ...(await loginPorts(console))]
    await listening(ports)
    const cursors = await realCursors(console)
    const rounds = weighs ? 10 : 2
    const part = Math.ceil(requests / rounds)
    for (let round = 0; round < rounds; round++) {
      await Promise.all(
        Array.from({ length: LANES }, async (_, lane) => {
          for (let n = lane; n < part; n += LANES) {
            const made = makeMalformed(dice, cursors)
            const { status, text } = await send(agent, console.port, made)
            statuses.set(status, (statuses.get(status) ?? 0) + 1)
            if (status >= 500 && failures.length < 20)
              failures.push(`${status} ${made.wrong}: ${text.slice(0, 300)}`)
          }
        }),
      )
      await initiations.sendMutated(part * DATAGRAM_SHARE)
      const share = (of: number): number => Math.ceil((part * of) / 100)
      for (let n = 0; n < share(LINK_SHARE); n += LANES)
        await Promise.all(Array.from({ length: LANES }, () => sendToLink(console.port, dice)))
      for (const port of ports)
        for (let n = 0; n < share(DECOY_SHARE); n += LANES)
          await Promise.all(Array.from({ length: LANES }, () => sendGarbage(port, garbage(dice))))
      sessions +=
        LANES * (Math.ceil(share(LINK_SHARE) / LANES) + ports.length * Math.ceil(share(DECOY_SHARE) / LANES))
      if (weighs) {
        heap.push(await inspector.heapMb())
        resident.push(await settledMb(console.pid))
      }
      onTenth?.(round + 1)
    }
    const { status } = await console.get('/ping')
    if (status !== 200) crashes++
    await listening(ports)
    if (!(await initiations.isHeard())) crashes++
    return {
      requests: part * rounds,
      sessions,
      datagrams: part * rounds * DATAGRAM_SHARE,
      statuses,
      failures,
      crashes,
      residentMb: resident,
      heapMb: heap,
      logged: errorsOf(console),
    }
  } finally {
    agent.destroy()
    initiations.stop()
    inspector.close()
    await console.stop()
    removeFolder(dataDir)
  }
}

/** Where tokens log in. */
async function loginPorts(console: RunningConsole): Promise<number[]> {
  const { json } = await console.get('/decoytokens/channels')
  const channels = json['channels'] as readonly { channel: string; listens: string }[]
  return channels
    .filter(({ channel }) => channel === 'mysql' || channel === 'postgres')
    .map(({ listens }) => Number(listens.split(':').at(-1)))
}

async function switchOn(console: RunningConsole): Promise<void> {
  const { status, text } = await console.post('/device/configure_personality', {
    node_id: await localBird(console),
    personality: 'default',
    additional_settings: JSON.stringify(SWITCHED_ON),
  })
  if (status !== 200) throw new Error(`The Bird was not configured: ${status} ${text}`)
}

/** Its id, once it listens. */
async function localBird(console: RunningConsole): Promise<string> {
  for (let tries = 0; tries < 400; tries++) {
    const [, id] = /Local Bird\s+([0-9a-f]+) on/.exec(console.said()) ?? []
    if (id !== undefined) return id
    await pause(50)
  }
  throw new Error('The local Bird does not listen.')
}

/** All of them are open; a Bird that starts takes a moment. */
async function listening(ports: readonly number[]): Promise<void> {
  for (const port of ports) {
    for (let tries = 0; ; tries++) {
      const isOpen = await sendGarbage(port, Buffer.from('QUIT\r\n')).then(
        () => true,
        () => false,
      )
      if (isOpen) break
      if (tries > 200) throw new Error(`Nothing listens on port ${port}.`)
      await pause(50)
    }
  }
}

/** Cursors that the console itself has given out. */
async function realCursors(console: RunningConsole): Promise<string[]> {
  for (const note of ['a', 'b']) await console.post('/auth_token/add', { auth_token_type: 'read-only', note })
  const cursors: string[] = []
  for (const path of ['/audit_trail/fetch', '/incidents/all', '/incidents/search', '/decoytokens/paginate']) {
    const { json } = await console.get(path, { limit: 1 })
    const cursor = json['cursor'] as string | { next?: string | null } | null | undefined
    const next = typeof cursor === 'string' ? cursor : cursor?.next
    if (typeof next === 'string') cursors.push(next)
  }
  return cursors
}

/** The least of a few looks: what is garbage by chance is not growth. */
async function settledMb(pid: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let look = 0; look < 10; look++) {
    await pause(100)
    least = Math.min(least, familyMb(pid))
  }
  return least
}

const errorsOf = (console: RunningConsole): string =>
  console
    .said()
    .split('\n')
    .filter((line) => line.includes('"level":50') || line.includes('"level":60'))
    .join('\n')

/** A connection that ends without an answer has the status 0. */
const send = (
  agent: Agent,
  port: number,
  { method, path, headers, body }: Malformed,
): Promise<{ status: number; text: string }> =>
  exchange(
    {
      agent,
      host: '127.0.0.1',
      port,
      method,
      path,
      headers: { ...latin1(headers), 'Content-Length': body.length },
    },
    body,
  ).catch(() => ({ status: 0, text: '' }))

/** Headers are bytes: what the client's own library would refuse is left to the raw ports. */
const latin1 = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, value.replace(/[^\x20-\x7e\x80-\xff]/g, '?')]),
  )
