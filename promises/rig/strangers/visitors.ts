// Visitors from elsewhere, while strangers attack: how long tokens and pages take, and how soon a login is an incident.
import { request } from 'node:http'
import { request as requestByTls } from 'node:https'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { exchange } from '../load/exchange.ts'
import { ADMIN, type RunningConsole } from '../scenes/console.ts'
import type { Target } from './attack.ts'

export interface Visited {
  /** Milliseconds, each on a connection of its own. */
  readonly tokenMs: readonly number[]
  /** The same, while the attack's connections arrive. */
  readonly arrivalTokenMs: readonly number[]
  /** As often, from a bare server that nobody attacks. */
  readonly bareMs: readonly number[]
  /** The same by HTTPS, with the handshake. */
  readonly tokenTlsMs: readonly number[]
  readonly pageMs: readonly number[]
  /** The first bytes of decoys: the greetings of SSH and FTP, and a page by HTTP. */
  readonly decoyMs: readonly number[]
  /** From the password to its incident in the API. */
  readonly loginMs: readonly number[]
  /** Visits without an answer, or with another than 200. */
  readonly failed: number
}

/** The console's own authority is not known here. */
const UNTRUSTED = { rejectUnauthorized: false }
const VISITOR = '127.0.0.77'
const LOST_MS = 10_000

export interface Visits {
  readonly console: RunningConsole
  readonly target: Target
  readonly tokenPath: string
  /** The port of the bare server. */
  readonly bystander: number
  /** Of the attack; none outside of one. */
  readonly arrivalMs?: number
}

/** Visits until the promise settles. */
export async function visit(
  { console, target, tokenPath, bystander, arrivalMs = 0 }: Visits,
  over: Promise<unknown>,
): Promise<Visited> {
  const visited = {
    tokenMs: [] as number[],
    arrivalTokenMs: [] as number[],
    bareMs: [] as number[],
    tokenTlsMs: [] as number[],
    pageMs: [] as number[],
    decoyMs: [] as number[],
    loginMs: [] as number[],
    failed: 0,
  }
  const arrivedAt = performance.now() + arrivalMs
  const tokenTimes = (): number[] =>
    performance.now() < arrivedAt ? visited.arrivalTokenMs : visited.tokenMs
  let isOver = false
  const ended = over.finally(() => (isOver = true))

  async function timed(into: number[], work: () => Promise<boolean>): Promise<void> {
    const startedAt = performance.now()
    const isRight = await Promise.race([work().catch(() => false), pause(LOST_MS, false)])
    into.push(performance.now() - startedAt)
    if (!isRight) visited.failed++
  }
  async function every(ms: number, work: (n: number) => Promise<void>): Promise<void> {
    for (let n = 0; !isOver; n++) await Promise.all([work(n), pause(ms)])
  }
  await Promise.all([
    ended,
    every(50, () => timed(tokenTimes(), () => page(target.tokens, tokenPath))),
    every(50, () => timed(visited.bareMs, () => page(bystander, '/'))),
    every(200, () => timed(visited.tokenTlsMs, () => page(target.https, tokenPath, requestByTls))),
    every(100, (n) =>
      timed(visited.pageMs, () => (n % 2 ? formCall(console) : page(target.api, '/healthz'))),
    ),
    every(50, (n) => timed(visited.decoyMs, () => firstBytes(target.decoys[GREETERS[n % GREETERS.length]!]))),
    every(1_000, (n) =>
      timed(visited.loginMs, () => login(console, target.decoys.ftp, `127.0.1.${1 + (n % 250)}`)),
    ),
  ])
  return visited
}

const page = (port: number, path: string, ask: typeof request = request): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const sent = ask(
      { host: '127.0.0.1', port, path, localAddress: VISITOR, agent: false, ...UNTRUSTED },
      (response) => {
        response.resume()
        response.once('end', () => resolve(response.statusCode === 200))
      },
    )
    sent.once('error', reject)
    sent.end()
  })

const GREETERS = ['ssh', 'ftp', 'http'] as const

/** A web server's client speaks first; the others do not mind, since their greeting is there by then. */
const firstBytes = (port: number): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, localAddress: VISITOR })
    socket.write('GET / HTTP/1.0\r\n\r\n')
    socket.once('data', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', reject)
    socket.once('close', () => resolve(false))
  })

/** As the specification's clients send their key: in the form. */
async function formCall({ port }: RunningConsole): Promise<boolean> {
  const asked = {
    host: '127.0.0.1',
    port,
    localAddress: VISITOR,
    agent: false,
    method: 'POST',
    path: '/api/v1/flock/note/add',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  }
  const { status } = await exchange(asked, new URLSearchParams({ auth_token: ADMIN }).toString())
  // Its key is right, and its Flock is missing.
  return status === 400
}

/** Tries a password of FTP, and waits for its incident. */
async function login(console: RunningConsole, port: number, localAddress: string): Promise<boolean> {
  const password = `guess-${Math.random()}`
  await new Promise<void>((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, localAddress })
    const lines = [`USER admin\r\n`, `PASS ${password}\r\n`]
    socket.on('data', () => {
      const next = lines.shift()
      if (next !== undefined) socket.write(next)
      if (lines.length === 0) setTimeout(() => socket.destroy(), 5_000).unref()
      if (next?.startsWith('PASS') === true) resolve()
    })
    socket.once('error', reject)
    socket.once('close', () => reject(new Error('It was closed before the password.')))
  })
  for (;;) {
    const { text } = await console.get('/incidents/history/source', { src_ip: localAddress })
    if (text.includes(localAddress)) return true
    await pause(20)
  }
}
