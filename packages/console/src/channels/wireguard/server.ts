// The WireGuard server of tokens: reads who begins a handshake, and never answers.
import { boundedMap } from '@rookery/kernel/bounded-map.ts'
import { limit } from '@rookery/kernel/limit.ts'
import { windowCounter } from '@rookery/kernel/window-counter.ts'
import type { World } from '@rookery/kernel/world.ts'
import type { Initiation, Responder } from '@rookery/tokens/channels/wireguard/initiation.ts'
import type { Logger } from 'pino'
import type { Background } from '../../background/background.ts'
import { hostPort, hostPortText } from '../../addresses/host-port.ts'
import { sourceNetwork } from '../../addresses/source-network.ts'
import { bindUdp, closeUdp, type Datagram } from '../../admission/udp.ts'
import type { TokenTouches } from '../token-touches.ts'
import { isOutage } from '../touch-spool.ts'
import { waitingClients } from './waiting-clients.ts'

export interface WireguardServer {
  /** `host:port` */
  readonly address: string
  stop(): Promise<void>
}

export interface WireguardServerDeps {
  readonly world: Pick<World, 'clock'>
  readonly log: Logger
  readonly background: Background
  readonly touches: Pick<TokenTouches, 'submit'>
  readonly responder: Responder
  /** The token whose client has this public key, base64; `unavailable` while the database is away. */
  readonly tokenOf: (clientPublicKey: string) => Promise<string | undefined>
  /** Called for each message whose sender knows the server's key. */
  readonly onRequest: (srcHost: string) => void
  /** The port that artefacts name, shown in events; undefined stands for the listener's own. */
  readonly advertisedPort: number | undefined
}

/** Opening a message costs half a millisecond, and a client sends one in 5 s. */
const PER_SOURCE = limit('wireguard_initiations_per_source', 20)
/** First messages of handshakes that are opened. */
const PER_SECOND = limit('wireguard_initiations_per_second', 500)
/** Sources whose messages are counted. */
const SOURCES = limit('wireguard_sources', 10_000)
/** Messages whose touches are being stored. */
const PENDING = limit('wireguard_initiations_pending', 1_000)
/** Public keys of tokens: they never change, and are known while the database is away. */
const KNOWN = limit('wireguard_client_keys', 10_000)

/** Listens at `host:port` (port 0: any free one); rejects when the address is taken. */
export async function openWireguardServer(deps: WireguardServerDeps, at: string): Promise<WireguardServer> {
  const { host, port } = hostPort(at)
  const admit = openAdmission(deps)
  const touch = openTouch(deps)
  const socket = await bindUdp(host, port, (datagram) => {
    const initiation = admit(datagram)
    if (initiation) touch.take(initiation, datagram, deps.advertisedPort ?? socket.address().port)
  })
  return {
    address: hostPortText(host, socket.address().port),
    async stop() {
      await closeUdp(socket)
      await touch.stop()
    },
  }
}

/** What a datagram says, if its sender knows the server's key and did not send too many. */
function openAdmission({
  world: { clock },
  responder,
  onRequest,
}: Pick<WireguardServerDeps, 'world' | 'responder' | 'onRequest'>) {
  const bySource = windowCounter<string>(SOURCES, 1_000)
  const together = windowCounter<'all'>(SOURCES, 1_000)
  return ({ bytes, srcHost }: Datagram): Initiation | undefined => {
    if (!responder.hasValidMac(bytes)) return undefined
    onRequest(srcHost)
    const now = clock.now()
    if (bySource.count(sourceNetwork(srcHost), now) > PER_SOURCE.max) return void PER_SOURCE.hit()
    // Source addresses can be forged by who has one configuration.
    if (together.count('all', now) > PER_SECOND.max) return void PER_SECOND.hit()
    return responder.open(bytes)
  }
}

interface ReceivedInitiation {
  readonly initiation: Initiation
  readonly datagram: Pick<Datagram, 'srcHost' | 'dstHost'>
  readonly dstPort: number
  readonly receivedAt: number
}

/** Stores a touch of the token whose key an initiation has. */
function openTouch({ world: { clock }, log, background, touches, tokenOf }: WireguardServerDeps) {
  const known = boundedMap<string, string>(KNOWN)
  /** As many as there are messages in `pending`, at most. */
  const lookingUp = new Map<string, Promise<string | undefined>>()
  const report = (error: unknown): void => log.error({ err: error }, 'touch by WireGuard failed')
  const waiting = waitingClients({ clock, background }, store, report)
  let pending = 0

  async function lookUp(clientPublicKey: string): Promise<string | undefined> {
    const tokenId = await tokenOf(clientPublicKey)
    if (tokenId !== undefined) known.set(clientPublicKey, tokenId)
    return tokenId
  }

  /** Messages of one client share a look-up, so that they go on in the order in which they came. */
  async function find(clientPublicKey: string): Promise<string | undefined> {
    const tokenId = known.get(clientPublicKey)
    if (tokenId !== undefined) return tokenId
    const found =
      lookingUp.get(clientPublicKey) ??
      lookUp(clientPublicKey).finally(() => lookingUp.delete(clientPublicKey))
    lookingUp.set(clientPublicKey, found)
    return found
  }

  async function store({ initiation, datagram, dstPort, receivedAt }: ReceivedInitiation): Promise<void> {
    const { clientKey, sessionIndex, sentAt } = initiation
    const ephemeralKey = initiation.ephemeralKey.toString('base64')
    const { srcHost, dstHost } = datagram
    const clientPublicKey = clientKey.toString('base64')
    const tokenId = await find(clientPublicKey)
    if (tokenId === undefined) return
    const visit = {
      channel: 'wireguard' as const,
      clientPublicKey,
      sessionIndex,
      sentAt,
      ephemeralKey,
      srcHost,
      dstPort,
      headers: {},
    }
    await touches.submit({ tokenId, visit, srcPort: 0, dstHost, receivedAt })
  }

  return {
    take(initiation: Initiation, { srcHost, dstHost }: Datagram, dstPort: number): void {
      // The client sends another one.
      if (pending >= PENDING.max) return PENDING.hit()
      pending++
      const received = { initiation, datagram: { srcHost, dstHost }, dstPort, receivedAt: clock.now() }
      store(received)
        .catch((error: unknown) => {
          if (isOutage(error)) waiting.keep(initiation.clientKey.toString('base64'), received)
          else report(error)
        })
        .finally(() => pending--)
    },
    stop: waiting.stop,
  }
}
