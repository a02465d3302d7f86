// Connections of this console to its own listeners, at the addresses that others use.
import { byWord } from '@rookery/kernel/by-word.ts'
import { createSocket } from 'node:dgram'
import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { Fault } from '@rookery/kernel/fault.ts'
import type {
  Advertised,
  Resolver,
  SelfDial,
  SelfDialRequest,
  StreamOutcome,
  StreamRequest,
} from '@rookery/kernel/world.ts'
import { plainAddress, type Ranges } from '../addresses/ranges.ts'
import { isEgressAllowed } from './egress-policy.ts'

const RECEIVED_BYTES = 16 * 1024

/**
 * Admits public addresses, those in `allow`, and exactly the addresses and ports at which the console is advertised. A name is
 * resolved once, and the address that was judged is the one that is dialled, against DNS rebinding.
 */
export function openSelfDial(allow: Ranges, resolver: Pick<Resolver, 'addresses'>): SelfDial {
  const addressesOf = async ({ host }: Advertised): Promise<readonly string[]> =>
    isIP(host) === 0 ? (await resolver.addresses(host)).map(plainAddress) : [plainAddress(host)]

  async function admittedAddress({ to, own }: SelfDialRequest): Promise<string> {
    const found = await addressesOf(to)
    const samePort = own.filter(({ port }) => port === to.port)
    const advertised = (await Promise.all(samePort.map(addressesOf))).flat()
    const admitted = found.find((it) => advertised.includes(it) || isEgressAllowed(it, allow))
    if (admitted !== undefined) return admitted
    if (found.length === 0) throw new Fault('unavailable', `${to.host} has no address.`)
    throw new Fault(
      'forbidden',
      `${to.host} (${found.slice(0, 4).join(', ')}) port ${to.port} is neither public nor where this console is advertised; ROOKERY_OUTBOUND_ALLOW can admit it.`,
    )
  }

  return {
    async stream(request) {
      const address = await admittedAddress(request)
      return converse(await open(request, address), request, address)
    },
    async datagram(request, bytes) {
      const address = await admittedAddress(request)
      const socket = createSocket(isIP(address) === 6 ? 'udp6' : 'udp4')
      try {
        await new Promise<void>((resolve, reject) => {
          socket.once('error', reject)
          socket.send(bytes, request.to.port, address, (error) => (error ? reject(error) : resolve()))
        })
      } catch (error) {
        throw explained(error, address, request)
      } finally {
        socket.close()
      }
      return address
    },
  }
}

function open(
  { to: { host, port }, isTls, timeoutMs }: StreamRequest,
  address: string,
): Promise<Socket | TLSSocket> {
  // A certificate that clients refuse is a finding of the test, and its end comes after that.
  const socket = isTls
    ? connectTls({
        host: address,
        port,
        rejectUnauthorized: false,
        ...(isIP(host) === 0 && { servername: host }),
      })
    : connect({ host: address, port })
  return new Promise((resolve, reject) => {
    const fail = (error: unknown): void => {
      socket.destroy()
      reject(explained(error, address, { to: { host, port }, timeoutMs }))
    }
    socket.setTimeout(timeoutMs, () => fail({ code: 'ETIMEDOUT' }))
    socket.once('error', fail)
    socket.once(isTls ? 'secureConnect' : 'connect', () => {
      socket.off('error', fail)
      resolve(socket)
    })
  })
}

function converse(
  socket: Socket | TLSSocket,
  request: StreamRequest,
  address: string,
): Promise<StreamOutcome> {
  const failure = 'authorizationError' in socket ? (socket.authorizationError as unknown) : null
  const certificateFailure = failure instanceof Error ? failure.message : String(failure ?? '')
  let received = Buffer.alloc(0)
  return new Promise((resolve, reject) => {
    const end = (): void => {
      socket.destroy()
      resolve({ address, received, certificateFailure })
    }
    const go = (): void => {
      const next = request.talk(received)
      if (next === 'end' || received.length >= RECEIVED_BYTES) end()
      else if (next) socket.write(next)
    }
    socket.setTimeout(request.timeoutMs, () => {
      socket.destroy()
      reject(explained({ code: 'ETIMEDOUT' }, address, request))
    })
    socket.on('error', (error) => reject(explained(error, address, request)))
    socket.on('data', (bytes: Buffer) => {
      received = Buffer.concat([received, bytes])
      go()
    })
    socket.once('close', end)
    go()
  })
}

const CAUSES = byWord<string>({
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
})

function explained(
  error: unknown,
  address: string,
  { to: { port }, timeoutMs }: Pick<SelfDialRequest, 'to' | 'timeoutMs'>,
): Fault {
  const { code = '', message = '' } = error as { code?: string; message?: string }
  const cause =
    code === 'ETIMEDOUT' ? `nothing came within ${timeoutMs / 1_000} s` : (CAUSES[code] ?? (message || code))
  return new Fault('unavailable', `${address} port ${port}: ${cause}.`, { cause: error })
}
