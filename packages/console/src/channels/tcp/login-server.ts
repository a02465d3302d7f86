// A channel whose clients name a user over TCP and are refused: the touch is committed before the refusal is sent.
import { createServer, type Socket } from 'node:net'
import type { Limit } from '@rookery/kernel/limit.ts'
import type { World } from '@rookery/kernel/world.ts'
import type { VisitBase } from '@rookery/tokens/channel.ts'
import { RANDOM_BYTES, type LoginProtocol } from '@rookery/tokens/login-protocol.ts'
import type { Visit } from '@rookery/tokens/visit.ts'
import type { Logger } from 'pino'
import type { TokenOutcome } from '../../flows/ingest/ingest-item.ts'
import { admit } from '../../net/admission.ts'
import { listening } from '../../net/listening.ts'
import { plainAddress, type Ranges } from '../../net/ranges.ts'
import { findTokenId } from '../../secrets/token-id.ts'
import type { Vault } from '../../secrets/vault.ts'
import type { TokenTouches } from '../token-touches.ts'
import { readLogin } from './read-login.ts'

export interface LoginServer {
  /** `host:port` */
  readonly address: string
  stop(): Promise<void>
}

export interface LoginServerDeps {
  readonly world: Pick<World, 'clock' | 'random'>
  readonly vault: Vault
  readonly log: Logger
  readonly touches: Pick<TokenTouches, 'submit'>
  /** Load balancers: one address of many clients. */
  readonly trusted: Ranges
  /** Connections of one source. */
  readonly perSource: Limit
  /** The port that artefacts name, shown in events as `dst_port`; undefined stands for the listener's own. */
  readonly advertisedPort: number | undefined
  /** Called for every login, whether it names a token or not. */
  readonly onRequest: (srcHost: string) => void
}

/** What a channel adds to the protocol: its visits and their answers. */
export interface LoginChannel<L, V extends Visit> {
  readonly protocol: LoginProtocol<L>
  /** Connections of the listener. */
  readonly bound: Limit
  /** Where a token id may stand. */
  readonly names: (login: L) => string
  readonly visitOf: (login: L, base: Omit<VisitBase, 'channel'>) => V
  /** The refusal; `outcome` is undefined for a login that names no token. */
  readonly refusal: (visit: V, outcome: TokenOutcome | undefined) => Uint8Array
}

/** So long a client may take the refusal, and stay after it. */
const CLOSE_AFTER_MS = 1_000

/** Listens at `host:port` (port 0: any free one); rejects when the address is taken. */
export async function openLoginServer<L, V extends Visit>(
  deps: LoginServerDeps,
  channel: LoginChannel<L, V>,
  at: string,
): Promise<LoginServer> {
  const { clock, random } = deps.world
  const sockets = new Set<Socket>()
  let connections = 0

  const server = createServer({ noDelay: true }, (socket) => {
    // Admission has closed it, or the client has.
    if (socket.destroyed) return
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    socket.on('error', () => undefined)
    const greeting = channel.protocol.greeting(++connections, random.bytes(RANDOM_BYTES))
    serve(socket, greeting).catch((error: unknown) => {
      deps.log.error({ err: error }, 'login of a token failed')
      socket.destroy()
    })
  })
  const admission = admit(server, { ...deps, bound: channel.bound, clock })

  async function serve(socket: Socket, greeting: Uint8Array): Promise<void> {
    const step = await readLogin({ socket, protocol: channel.protocol, clock, greeting })
    if (step === undefined) return
    admission.noteRequest(socket)
    // What a client sends behind its login waits with the system.
    socket.pause()
    end(socket, step.name === 'refused' ? step.answer : await refusalOf(step.login, socket))
  }

  /** Stores the touch, if the login names a token; resolves with the refusal after the commit. */
  async function refusalOf(login: L, socket: Socket): Promise<Uint8Array> {
    const srcHost = plainAddress(socket.remoteAddress ?? '')
    const dstPort = deps.advertisedPort ?? socket.localPort ?? 0
    const visit = channel.visitOf(login, { srcHost, dstPort, headers: {} })
    deps.onRequest(srcHost)
    const tokenId = findTokenId(channel.names(login), deps.vault)
    if (tokenId === undefined) return channel.refusal(visit, undefined)
    const dstHost = plainAddress(socket.localAddress ?? '')
    const receivedAt = clock.now()
    const outcome = await deps.touches
      // A load balancer's port says nothing, so tokens have none (behaviour 5).
      .submit({ tokenId, visit, srcPort: 0, dstHost, receivedAt })
      .catch((error: unknown) => void deps.log.error({ err: error }, 'token answer failed'))
    return channel.refusal(visit, outcome ?? undefined)
  }

  /** Sends the last bytes, reads what is left so that no reset overtakes them, and closes. */
  function end(socket: Socket, answer: Uint8Array): void {
    if (socket.destroyed) return
    socket.resume()
    socket.end(answer)
    const cancel = clock.after(CLOSE_AFTER_MS, () => socket.destroy())
    socket.once('close', cancel)
  }

  const address = (await listening(server, at)).replace('http://', '')
  return {
    address,
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
