// A channel whose clients name a user over TCP and are refused: the touch is committed before the refusal is sent.
import { createServer, type Socket } from 'node:net'
import { limit, type Limit } from '@rookery/kernel/limit.ts'
import type { World } from '@rookery/kernel/world.ts'
import type { VisitBase } from '@rookery/tokens/channel.ts'
import { RANDOM_BYTES, type LoginProtocol } from '@rookery/tokens/login-protocol.ts'
import type { Visit } from '@rookery/tokens/visit.ts'
import type { Logger } from 'pino'
import type { TokenOutcome } from '../../flows/ingest/ingest-item.ts'
import { admit } from '../../admission/admission.ts'
import { openByteDropper } from '../../admission/drop-bytes.ts'
import { listeningAt } from '../../addresses/listening.ts'
import { plainAddress, type Ranges } from '../../addresses/ranges.ts'
import { findTokenId } from '../../secrets/token-id.ts'
import type { Vault } from '../../secrets/vault.ts'
import type { TokenTouches } from '../token-touches.ts'
import { openProxiedConnections } from './proxy-protocol/proxied-connections.ts'
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
  /** Those whose connections begin with a PROXY header; undefined where none does. */
  readonly balancers: Ranges | undefined
  /** Connections of one source. */
  readonly perSource: Limit
  /** The port that artefacts name, shown in events as `dst_port`; undefined stands for the listener's own. */
  readonly advertisedPort: number | undefined
  /** Called for every login, whether it names a token or not. */
  readonly onRequest: (srcHost: string) => void
  /** A connection of this address was refused. */
  readonly onRefused?: (address: string) => void
}

/** What a channel adds to the protocol: its visits and their answers. */
export interface LoginChannel<L, V extends Visit> {
  readonly protocol: LoginProtocol<L>
  /** Connections of the listener. */
  readonly bound: Limit
  /** Where a token id may stand. */
  readonly names: (login: L) => string
  readonly visitOf: (login: L, base: Omit<VisitBase, 'channel'>) => V
  /** The refusal; `outcome` is undefined for a login that names no token. `isReply`: it follows the reply to a question. */
  readonly refusal: (visit: V, outcome: TokenOutcome | undefined, isReply: boolean) => Uint8Array
}

/** What clients of one channel send on after their refusal, and is read and dropped; beyond it they wait. */
const DROPPED_PER_SECOND = limit('login_bytes_dropped_per_second', 16 * 1024 * 1024)
/** So long a client may take the refusal, and stay after it. */
const CLOSE_AFTER_MS = 1_000

/** Listens at `host:port` (port 0: any free one); rejects when the address is taken. */
export async function openLoginServer<L, V extends Visit>(
  deps: LoginServerDeps,
  channel: LoginChannel<L, V>,
  at: string,
): Promise<LoginServer> {
  const { clock, random } = deps.world
  const drop = openByteDropper(clock, DROPPED_PER_SECOND)
  const sockets = new Set<Socket>()
  let connections = 0

  const server = createServer({ noDelay: true }, (socket) => {
    // Admission has closed it, or the client has.
    if (socket.destroyed) return
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    socket.on('error', () => undefined)
    serve(socket, random.bytes(RANDOM_BYTES)).catch((error: unknown) => {
      deps.log.error({ err: error }, 'login of a token failed')
      socket.destroy()
    })
  })
  const clients = openProxiedConnections({ ...deps, clock })
  const admission = admit(server, { ...deps, clients, bound: channel.bound, clock })
  clients.guard(server)

  async function serve(socket: Socket, drawn: Uint8Array): Promise<void> {
    const { protocol } = channel
    const step = await readLogin({
      socket,
      protocol,
      clock,
      greeting: protocol.greeting(++connections, drawn),
    })
    if (step === undefined) return
    if (step.name === 'refused') return end(socket, step.answer)
    const { login, question, refusal } = step
    // A client that is asked something may still make room for another one.
    if (question === undefined) admission.noteRequest(socket)
    const base = baseOf(socket)
    const visit = channel.visitOf(login, base)
    const outcome = await touch(visit, channel.names(login), socket)
    if (question === undefined) return end(socket, refusal ?? channel.refusal(visit, outcome, false))
    if (socket.destroyed) return
    const reply = await readLogin({ socket, protocol: question, clock, greeting: question.ask(drawn) })
    if (reply === undefined) return
    end(
      socket,
      reply.name === 'refused'
        ? reply.answer
        : channel.refusal(channel.visitOf(reply.login, base), outcome, true),
    )
  }

  const baseOf = (socket: Socket): Omit<VisitBase, 'channel'> => ({
    srcHost: clients.clientOf(socket),
    dstPort: deps.advertisedPort ?? socket.localPort ?? 0,
    headers: {},
  })

  /** Stores the touch, if the names hold a token; resolves after the commit. */
  async function touch(visit: V, names: string, socket: Socket): Promise<TokenOutcome | undefined> {
    deps.onRequest(visit.srcHost)
    const tokenId = findTokenId(names, deps.vault)
    if (tokenId === undefined) return undefined
    const dstHost = plainAddress(socket.localAddress ?? '')
    const receivedAt = clock.now()
    const outcome = await deps.touches
      // A load balancer's port says nothing, so tokens have none.
      .submit({ tokenId, visit, srcPort: 0, dstHost, receivedAt })
      .catch((error: unknown) => void deps.log.error({ err: error }, 'token answer failed'))
    return outcome ?? undefined
  }

  /** Sends the last bytes, reads what is left so that no reset overtakes them, and closes. */
  function end(socket: Socket, answer: Uint8Array): void {
    if (socket.destroyed) return
    drop(socket)
    socket.resume()
    socket.end(answer)
    admission.noteAnswered(socket)
    const cancel = clock.after(CLOSE_AFTER_MS, () => socket.destroy())
    socket.once('close', cancel)
  }

  const address = await listeningAt(server, at)
  return {
    address,
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      clients.stop()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
