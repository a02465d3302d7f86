// G13: what strangers send to make a console pay. Each runs until its time is over, from one address unless it says so.
import { Agent } from 'node:http'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import { exchange } from '../load/exchange.ts'
import {
  addresses,
  AGAIN_MS,
  ATTACKER,
  dial,
  drained,
  type Attack,
  type NamedAttack,
  type Target,
} from './attack.ts'
import { ASSERTION_ATTACKS } from './assertions.ts'
import { BODY_ATTACKS } from './bodies.ts'
import { heartbeats } from './heartbeats.ts'
import { REDIS_ATTACKS } from './redis-lines.ts'
import { SMB_ATTACKS } from './smb.ts'
import { group18Exchange } from './ssh-group18.ts'

/** Keeps so many connections open, and opens others for those that end. */
const hold =
  (
    count: number,
    portsOf: (target: Target) => readonly number[],
    from: readonly string[] = [ATTACKER],
    first?: Buffer,
  ): Attack =>
  async (target, isOver) => {
    let made = 0
    const open = new Set<Socket>()
    for (const ports = portsOf(target); !isOver(); await pause(10)) {
      const missing = Math.min(100, count * ports.length - open.size)
      const dialled = Array.from({ length: Math.max(0, missing) }, async () => {
        const at = made++
        const socket = await dial(ports[at % ports.length] ?? 0, from[at % from.length])
        if (!socket) return
        open.add(socket)
        socket.once('close', () => open.delete(socket))
        // Without reading, its end is not seen.
        socket.resume()
        if (first) socket.write(first)
      })
      await Promise.all(dialled)
    }
    for (const socket of open) socket.destroy()
    return made
  }

/** Sends this much of a ClientHello on each connection, and waits. */
const hellos =
  (share: number): Attack =>
  async (target, isOver) => {
    const hello = await clientHello()
    const part = hello.subarray(0, Math.ceil(hello.length * share))
    return hold(1_200, ({ https }) => [https], addresses(20), part)(target, isOver)
  }

/** What Node's client says first. */
const clientHello = (): Promise<Buffer> =>
  new Promise((resolve) => {
    const server = createServer((socket) =>
      socket.once('data', (bytes) => {
        resolve(bytes)
        socket.destroy()
        server.close()
      }),
    )
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      connectTls({ port, host: '127.0.0.1' }).on('error', () => undefined)
    })
  })

/** Visitors to tokens and pages from the address of 64 who hold a byte each; one without an answer fails the gate. */
const crowd: Attack = async (target, isOver) => {
  const held = hold(64, ({ api, tokens }) => [api, tokens], [ATTACKER], Buffer.from('G'))(target, isOver)
  const visits: Promise<boolean>[] = []
  for (const ports = [target.tokens, target.api]; !isOver(); await pause(10)) {
    const asked = { host: '127.0.0.1', localAddress: ATTACKER, agent: false, path: '/nothing' }
    const port = ports[visits.length % ports.length] ?? 0
    visits.push(
      exchange({ ...asked, port }).then(
        () => true,
        () => false,
      ),
    )
  }
  await held
  const failed = (await Promise.all(visits)).filter((isAnswered) => !isAnswered).length
  if (failed > 0) throw new Error(`${failed} of ${visits.length} visitors of the same address had no answer.`)
  return visits.length
}

const exchanges: Attack = async ({ decoys }, isOver) => {
  let made = 0
  const lane = async (): Promise<void> => {
    while (!isOver()) {
      made++
      const socket = await dial(decoys.ssh)
      if (socket) await Promise.race([group18Exchange(socket), pause(2_000)])
      socket?.destroy()
      await pause(AGAIN_MS)
    }
  }
  await Promise.all(Array.from({ length: 60 }, lane))
  return made
}

/** As many queries as fit, on each connection that there may be; their answers are never read. */
const queries: Attack = async ({ others }, isOver) => {
  const name = Buffer.from('\x01x\x06tokens\x09localhost\0')
  const query = Buffer.concat([
    Buffer.from('000001000001000000000000', 'hex'),
    name,
    Buffer.from('00010001', 'hex'),
  ])
  const framed = Buffer.concat([Buffer.from([0, query.length]), query])
  const many = Buffer.concat(Array<Buffer>(2_000).fill(framed))
  let sent = 0
  const lane = async (): Promise<void> => {
    while (!isOver()) {
      const socket = await dial(others.at(-1) ?? 0)
      if (!socket) {
        await pause(AGAIN_MS)
        continue
      }
      while (!isOver() && !socket.destroyed) {
        sent += 2_000
        if (!socket.write(many)) await drained(socket)
      }
      socket.destroy()
      await pause(AGAIN_MS)
    }
  }
  await Promise.all(Array.from({ length: 60 }, lane))
  return sent
}

const REQUEST = 'GET /nothing HTTP/1.1\r\nHost: x\r\n\r\n'

/** Requests behind each other without a wait for answers, to the API and to tokens in turn. */
const pipelines: Attack = async ({ api, tokens }, isOver) => {
  const many = Buffer.from(REQUEST.repeat(2_000))
  let sent = 0
  const lane = async (_: unknown, n: number): Promise<void> => {
    while (!isOver()) {
      const socket = await dial(n % 2 ? api : tokens)
      if (socket) {
        const ended = new Promise<void>((resolve) => socket.once('close', resolve))
        sent += 2_000
        socket.resume().write(many)
        await Promise.race([ended, pause(1_000)])
        socket.destroy()
      }
      await pause(AGAIN_MS)
    }
  }
  await Promise.all(Array.from({ length: 120 }, lane))
  return sent
}

/** One request after the other on each connection, without a pause, to what needs no key. */
const patient: Attack = async ({ api, tokens }, isOver) => {
  const pages = ['/api/v1/openapi.json', '/docs', '/readyz', '/api/v1/ping']
  let asked = 0
  const lane = async (_: unknown, n: number): Promise<void> => {
    const to = n % 2 ? { port: tokens, path: '/nothing' } : { port: api, path: pages[(n / 2) % pages.length] }
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const options = { host: '127.0.0.1', localAddress: ATTACKER, agent, ...to }
    while (!isOver()) {
      asked++
      await exchange(options).catch(() => pause(AGAIN_MS))
    }
    agent.destroy()
  }
  await Promise.all(Array.from({ length: 150 }, lane))
  return asked
}

/** By the name that `BENCH_PARTS` chooses it by; the numbers in the titles are those of the promise. */
export const ATTACKS: Readonly<Record<string, NamedAttack>> = {
  idle: {
    title: '10,000 idle connections on each listener',
    run: hold(10_000, ({ api, tokens, https, others, decoys }) => [
      ...[api, tokens, https],
      ...others,
      ...Object.values(decoys),
    ]),
  },
  crowd: { title: '64 holders of one byte next to 500 visitors of the same address in 5 s', run: crowd },
  ...BODY_ATTACKS,
  ...ASSERTION_ATTACKS,
  kept: {
    title: '12,000 connections to tokens whose request was answered, from 200 addresses',
    // Each of 10,000 takes 20 KiB of Node.js, and every newcomer has its turn.
    limits: { answerMs: 1_000, growthMb: 256 },
    run: hold(12_000, ({ tokens }) => [tokens], addresses(200), Buffer.from(REQUEST)),
  },
  pipelines: { title: '120 connections with 2,000 requests at once', run: pipelines },
  patient: { title: '150 connections that ask one after another', run: patient, arrivalMs: 2_000 },
  queries: { title: '60 connections that ask the DNS server, and never read', run: queries },
  ssh: { title: 'SSH group18 from 60 connections', run: exchanges },
  heartbeats: {
    title: 'heartbeats of a pending Bird that never reads',
    run: ({ api }, isOver) => heartbeats(api, 400_000, isOver),
  },
  ...SMB_ATTACKS,
  ...REDIS_ATTACKS,
  'tls-halves': { title: '1,200 halves of a ClientHello, from 20 addresses', run: hellos(0.5) },
  'tls-hellos': {
    title: '1,200 TLS handshakes that are never finished, from 20 addresses',
    run: hellos(1),
  },
  silent: {
    title: '512 silent connections on a decoy, from 8 addresses',
    run: hold(512, ({ decoys }) => [decoys.ftp], addresses(8)),
  },
}
