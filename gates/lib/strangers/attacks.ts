// G13: what strangers send to make a console pay. Each runs until its time is over, from one address unless it says so.
import { randomBytes } from 'node:crypto'
import { Agent } from 'node:http'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import { exchange } from '../../../bench/load/exchange.ts'
import { AGAIN_MS, ATTACKER, dial, type Attack, type NamedAttack, type Target } from './attack.ts'
import { heartbeats } from './heartbeats.ts'
import { SMB_ATTACKS } from './smb.ts'
import { group18Exchange } from './ssh-group18.ts'

const MEBIBYTE = 1_048_576

/** Resolves once the socket takes more, or is closed; after a second at the latest. */
const drained = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    const settle = (): void => {
      clearTimeout(timer)
      socket.off('drain', settle).off('close', settle)
      resolve()
    }
    const timer = setTimeout(settle, 1_000)
    socket.on('drain', settle).on('close', settle)
  })

/** Keeps so many connections open, and opens others for those that end. */
const hold =
  (
    count: number,
    portsOf: (target: Target) => readonly number[],
    addresses = [ATTACKER],
    first?: Buffer,
  ): Attack =>
  async (target, isOver) => {
    let made = 0
    const open = new Set<Socket>()
    for (const ports = portsOf(target); !isOver(); await pause(10)) {
      const missing = Math.min(100, count * ports.length - open.size)
      const dialled = Array.from({ length: Math.max(0, missing) }, async () => {
        const at = made++
        const socket = await dial(ports[at % ports.length] ?? 0, addresses[at % addresses.length])
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

const NOTE = ({ api }: Target) => ({ port: api, path: '/api/v1/flock/note/add' })

/** So many bodies at a time of an API operation, in pieces; unfinished ones stay open. */
const bodies =
  (lanes: number, type: string, body: () => Iterable<Buffer>, declared: number, to = NOTE): Attack =>
  async (target, isOver) => {
    let sent = 0
    const { port, path } = to(target)
    const lane = async (): Promise<void> => {
      while (!isOver()) {
        const socket = await dial(port)
        if (!socket) {
          await pause(AGAIN_MS)
          continue
        }
        const ended = new Promise<void>((resolve) => socket.once('close', resolve))
        socket.resume()
        socket.write(
          `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: ${declared}\r\n\r\n`,
        )
        for (const piece of body()) {
          if (isOver() || socket.destroyed) break
          sent += piece.length
          if (!socket.write(piece)) await drained(socket)
        }
        while (!isOver() && !socket.destroyed) await Promise.race([ended, pause(100)])
        socket.destroy()
        await pause(AGAIN_MS)
      }
    }
    await Promise.all(Array.from({ length: lanes }, lane))
    return sent
  }

function* repeated(head: string, piece: Buffer, bytes: number): Iterable<Buffer> {
  yield Buffer.from(head)
  for (let sent = 0; sent < bytes; sent += piece.length) yield piece
}

const note = (): Iterable<Buffer> =>
  repeated('--b\r\nContent-Disposition: form-data; name="note"\r\n\r\n', randomBytes(MEBIBYTE), 31 * MEBIBYTE)

const headerLines = (): Iterable<Buffer> =>
  repeated('--b\r\n', Buffer.from('a: b\r\n'.repeat(10_000)), 30 * MEBIBYTE)

/** JSON of 330,000 names, each another. */
function* names(): Iterable<Buffer> {
  yield Buffer.from('{"a":1')
  for (let from = 0; from < 330_000; from += 10_000)
    yield Buffer.from(Array.from({ length: 10_000 }, (_, n) => `,"${from + n}":1`).join(''))
}

/** Sends this much of a ClientHello on each connection, and waits. */
const hellos =
  (share: number): Attack =>
  async (target, isOver) => {
    const hello = await clientHello()
    const part = hello.subarray(0, Math.ceil(hello.length * share))
    return hold(1_200, ({ https }) => [https], MANY_ADDRESSES, part)(target, isOver)
  }

const MANY_ADDRESSES = Array.from({ length: 20 }, (_, n) => `127.0.66.${n + 1}`)

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

/** Requests behind each other without a wait for answers, to the API and to tokens in turn. */
const pipelines: Attack = async ({ api, tokens }, isOver) => {
  const many = Buffer.from('GET /nothing HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(2_000))
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
  bodies: {
    title: '60 unfinished bodies of 31 MiB',
    run: bodies(60, 'multipart/form-data; boundary=b', note, 32 * MEBIBYTE),
  },
  'token-bodies': {
    title: '60 unfinished bodies of 31 MiB to the token host',
    run: bodies(60, 'multipart/form-data; boundary=b', note, 32 * MEBIBYTE, ({ tokens }) => ({
      port: tokens,
      path: '/',
    })),
  },
  json: {
    title: '3 connections of JSON with 330,000 names',
    run: bodies(3, 'application/json', names, 4 * MEBIBYTE),
  },
  multipart: {
    title: 'multipart of 5 M header lines',
    run: bodies(3, 'multipart/form-data; boundary=b', headerLines, 31 * MEBIBYTE),
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
  'tls-halves': { title: '1,200 halves of a ClientHello, from 20 addresses', run: hellos(0.5) },
  'tls-hellos': {
    title: '1,200 TLS handshakes that are never finished, from 20 addresses',
    run: hellos(1),
  },
  silent: {
    title: '512 silent connections on a decoy, from 8 addresses',
    run: hold(512, ({ decoys }) => [decoys.ftp], MANY_ADDRESSES.slice(0, 8)),
  },
}
