// Messages over connections to hosts that users name. Their addresses are checked as those of HTTP are.
import { X509Certificate } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls, getCACertificates } from 'node:tls'
import { Fault } from '@rookery/kernel/fault.ts'
import { limit } from '@rookery/kernel/limit.ts'
import type { Clock, OutboundStream, Resolver, StreamTarget } from '@rookery/kernel/world.ts'
import type { Ranges } from '../addresses/ranges.ts'
import { checkedLookup, refusalOfHost, refused } from './checked-lookup.ts'
import { isEgressAllowed } from './egress-policy.ts'
import { failureCause } from './failure-cause.ts'

/** Messages that a connection took before it broke, and that are sent again. */
const SENT_AGAIN = limit('stream_messages_sent_again', 1_000)
const SENT_AGAIN_MS = 60_000
/** A connection that broke with such messages is opened again by itself: for so long, and so often. */
const REOPEN_FOR_MS = 600_000
const REOPEN_EVERY_MS = 2_000
/** A peer that gives no tickets, and is content with our certificate, says nothing. */
const JUDGED_MS = 500

interface Sent {
  readonly message: Uint8Array
  readonly at: number
}

export function openOutboundStream(
  allow: Ranges,
  resolver: Pick<Resolver, 'addresses'>,
  clock: Clock,
  caCertificates: readonly string[] = [],
): OutboundStream & { close(): void } {
  const lookup = checkedLookup(allow, resolver)
  const connections = new Map<string, Connection>()

  async function open(to: StreamTarget): Promise<Socket> {
    if (isIP(to.host) !== 0 && !isEgressAllowed(to.host, allow)) throw refused(to.host, [to.host])
    checkExpiry(to, clock)
    const at = { host: to.host, port: to.port, lookup, autoSelectFamily: true }
    const authorities = [...caCertificates, ...(to.ca === '' ? [] : [to.ca])]
    const socket =
      to.protocol === 'tcp'
        ? connect(at)
        : connectTls({
            ...at,
            ...(isIP(to.host) === 0 && { servername: to.host }),
            ...(authorities.length > 0 && { ca: [...getCACertificates('default'), ...authorities] }),
            ...(to.cert !== '' && { cert: to.cert, key: to.key }),
          })
    return new Promise((resolve, reject) => {
      const fail = (error: unknown): void => {
        stopAsking?.()
        socket.destroy()
        reject(explained(error, to))
      }
      const stopWaiting = clock.after(to.timeoutMs, () => fail({ code: 'ETIMEDOUT' }))
      let stopAsking: (() => void) | undefined
      let isReady = false
      const lost = (): void => fail({ code: 'ECONNRESET' })
      socket.once('error', fail)
      socket.once(to.protocol === 'tcp' ? 'connect' : 'secureConnect', () => {
        socket.resume()
        if (to.protocol === 'tcp') return ready()
        // Of TLS 1.3 our part is over before the peer has judged our certificate; then it gives a ticket, or breaks off.
        // What is written while the ticket is read would never be sent.
        socket.once('close', lost).once('session', () => setImmediate(ready))
        stopAsking = clock.after(JUDGED_MS, ready)
      })
      function ready(): void {
        if (isReady || socket.destroyed) return
        isReady = true
        stopWaiting()
        stopAsking?.()
        socket.off('close', lost)
        const peer = socket.remoteAddress
        if (peer === undefined || !isEgressAllowed(peer, allow))
          return fail(refused(to.host, peer ? [peer] : []))
        socket.off('error', fail)
        socket.on('error', () => undefined)
        socket.setKeepAlive(true, 30_000)
        socket.unref()
        resolve(socket)
      }
    })
  }

  async function datagram(to: StreamTarget, message: Uint8Array): Promise<void> {
    const found = isIP(to.host) === 0 ? await resolver.addresses(to.host) : [to.host]
    const address = found.find((it) => isEgressAllowed(it, allow))
    if (address === undefined) throw refused(to.host, found)
    const socket = createSocket(isIP(address) === 6 ? 'udp6' : 'udp4')
    await new Promise<void>((resolve, reject) => {
      const end = (error?: Error | null): void => (error ? reject(explained(error, to)) : resolve())
      socket.once('error', end).send(message, to.port, address, end)
    }).finally(() => socket.close())
  }

  return {
    async send(to, message) {
      if (to.protocol === 'udp') return datagram(to, message)
      const key = JSON.stringify([to.protocol, to.host, to.port, to.ca, to.cert, to.key])
      let connection = connections.get(key)
      if (!connection) connections.set(key, (connection = openConnection(() => open(to), clock)))
      return connection.send(message, to)
    },
    async open(to, { received, closed }) {
      const socket = await open(to)
      socket.on('data', received).once('close', closed)
      return {
        write: (bytes) => void socket.write(bytes),
        end: (bytes) => void socket.end(bytes, () => socket.destroy()),
        destroy: () => void socket.destroy(),
      }
    },
    refusal: (host) => refusalOfHost(host, allow),
    close() {
      for (const connection of connections.values()) connection.close()
      connections.clear()
    },
  }
}

interface Connection {
  send(message: Uint8Array, to: StreamTarget): Promise<void>
  close(): void
}

/** One connection after the other; what the last one may have lost goes out before anything else. */
function openConnection(dial: () => Promise<Socket>, clock: Clock): Connection {
  let current: Promise<Socket> | undefined
  let recent: Sent[] = []
  let unsure: readonly Sent[] = []
  let stopReopening: (() => void) | undefined
  let isClosed = false

  async function connected(): Promise<Socket> {
    const socket = await dial()
    if (isClosed) {
      socket.destroy()
      throw new Fault('unavailable', 'The console stops.')
    }
    recent = []
    socket.once('close', () => broken())
    for (const sent of unsure) {
      socket.write(sent.message)
      recent.push(sent)
    }
    unsure = []
    return socket
  }

  function socketNow(): Promise<Socket> {
    current ??= connected()
    const mine = current
    mine.catch(() => current === mine && (current = undefined))
    return mine
  }

  function broken(): void {
    current = undefined
    const now = clock.now()
    unsure = recent.filter(({ at }) => now - at < SENT_AGAIN_MS).map(({ message }) => ({ message, at: now }))
    recent = []
    if (unsure.length > 0 && !isClosed) reopen(now + REOPEN_FOR_MS)
  }

  function reopen(until: number): void {
    stopReopening?.()
    stopReopening = clock.after(REOPEN_EVERY_MS, () => {
      if (unsure.length === 0 || isClosed) return
      socketNow().catch(() => (clock.now() < until ? reopen(until) : (unsure = [])))
    })
  }

  return {
    async send(message, to) {
      const socket = await socketNow()
      await written(socket, message, to, clock)
      if (recent.length >= SENT_AGAIN.max) recent.shift()
      recent.push({ message, at: clock.now() })
    },
    close() {
      isClosed = true
      stopReopening?.()
      void current?.then(
        (socket) => socket.destroy(),
        () => undefined,
      )
    },
  }
}

/** Resolves when the system has taken the bytes; a peer that reads nothing for so long is given up. */
function written(socket: Socket, message: Uint8Array, to: StreamTarget, clock: Clock): Promise<void> {
  return new Promise((resolve, reject) => {
    const stopWaiting = clock.after(to.timeoutMs, () => {
      socket.destroy()
      reject(
        new Fault(
          'unavailable',
          `It has read nothing for ${to.timeoutMs / 1000} s: check that it still takes messages and has room on its disk.`,
        ),
      )
    })
    socket.write(message, (error) => {
      stopWaiting()
      if (error) reject(explained(error, to))
      else resolve()
    })
  })
}

function explained(error: unknown, { timeoutMs }: StreamTarget): Fault {
  if (error instanceof Fault) return error
  const { code, message } = error as { code?: string; message?: string }
  const cause =
    code === 'ETIMEDOUT'
      ? `The connection could not be made within ${timeoutMs / 1000} s.`
      : (failureCause(error) ?? `The connection failed: ${String(message).slice(0, 200)}.`)
  return new Fault('unavailable', cause, { cause: error })
}

/** Some peers take the connection and what is sent, and then throw it away. */
function checkExpiry({ cert }: StreamTarget, clock: Clock): void {
  if (cert === '') return
  const until = new X509Certificate(cert).validToDate
  if (until.getTime() >= clock.now()) return
  throw new Fault(
    'unavailable',
    `The certificate that the console shows has expired on ${until.toISOString().slice(0, 10)}: add it again with a new client_cert and client_key.`,
  )
}
