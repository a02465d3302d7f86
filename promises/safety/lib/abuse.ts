// G5: malformed input at the API, the link, each decoy port and the WireGuard server of one installation, and what became of it.
import { Agent } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { startConsole, type RunningConsole } from '../../rig/scenes/console.ts'
import { exchange } from '../../rig/load/exchange.ts'
import { freshFolder, removeFolder } from '../../rig/folder.ts'
import { freeOffset } from '../../../tools/free-port.ts'
import { familyMb } from '../../rig/process.ts'
import type { Dice } from './dice.ts'
import { decoyDoors, isDnsHeard, tokenDoors } from './doors.ts'
import { everyDecoyListens, everyDecoyPort, openEveryDecoy } from '../../rig/scenes/every-decoy.ts'
import { INSPECTED, inspect } from './inspector.ts'
import { openInitiations } from './initiations.ts'
import { garbage, sendToLink } from './garbage.ts'
import { makeMalformed, type Malformed } from './malformed.ts'

export interface Abused {
  readonly requests: number
  /** Sessions at decoys and at the listeners of token channels, connections to the link. */
  readonly sessions: number
  /** Listeners of token channels that had garbage; one within TLS is one of its own, as is each transport of DNS. */
  readonly tokenListeners: readonly string[]
  /** Decoy ports that speak TLS, which had garbage within it, too. */
  readonly tlsPorts: number
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

export async function abuse({ requests, dice, weighs = true, onTenth }: AbuseOptions): Promise<Abused> {
  const dataDir = freshFolder()
  const offset = await freeOffset(everyDecoyPort.map(({ port }) => port))
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
    await openEveryDecoy(console, offset)
    // A handshake with a port that waits for other bytes takes seconds: meanwhile the API is asked.
    const doorsFound = Promise.all([decoyDoors(offset), tokenDoors(console)])
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
      const doors = (await doorsFound).flat()
      const batches = Math.ceil(share(DECOY_SHARE) / LANES)
      for (let batch = 0; batch < batches; batch++)
        await Promise.all(
          doors.flatMap(({ service, send }) =>
            Array.from({ length: LANES }, () => send(garbage(dice, service))),
          ),
        )
      sessions += LANES * (Math.ceil(share(LINK_SHARE) / LANES) + doors.length * batches)
      if (weighs) {
        heap.push(await inspector.heapMb())
        resident.push(await settledMb(console.pid))
      }
      onTenth?.(round + 1)
    }
    const { status } = await console.get('/ping')
    if (status !== 200) crashes++
    await everyDecoyListens(offset)
    if (!(await initiations.isHeard())) crashes++
    if (!(await isDnsHeard(console.dnsPort))) crashes++
    const [atDecoys, atTokens] = await doorsFound
    return {
      requests: part * rounds,
      sessions,
      tokenListeners: atTokens.map(({ name }) => name),
      tlsPorts: atDecoys.filter(({ isTls }) => isTls).length,
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
