// What lies between one console and PostgreSQL: it leads to the primary, and deals the faults of a network.
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { endSession, openSession, type Cut, type Session } from './session.ts'

export interface Balancer {
  readonly port: number
  /** The port that new connections lead to; undefined refuses them. */
  route(port: number | undefined): void
  /** Ends every connection with a reset, as a balancer does when it marks a server down. */
  endSessions(): void
  /** Packets are lost both ways: nothing is passed on, and no end is heard of. */
  silence(): void
  /** Passes on what was sent meanwhile, as TCP sends it again. */
  speak(): void
  /** Resolves once the connection of the next COMMIT that creates a token is cut. */
  cutNextCommit(how: Cut): Promise<void>
  /** Calls `act` once, when the server has given the console the lock of its next transaction, before the console hears of it. */
  inNextTransaction(act: () => void): Promise<void>
  stop(): void
}

export async function openBalancer(port: number): Promise<Balancer> {
  const sessions = new Set<Session>()
  /** Clients that came while nothing was passed on. */
  const waiting: Socket[] = []
  const state: State = { target: port, isSilent: false, cut: undefined, atLock: undefined }

  const hooks = {
    isSilent: () => state.isSilent,
    onCommit() {
      const { cut } = state
      state.cut = undefined
      cut?.done()
      return cut?.how
    },
    onLock() {
      const { atLock } = state
      state.atLock = undefined
      atLock?.()
    },
    onEnd: (session: Session) => sessions.delete(session),
  }

  function open(client: Socket): void {
    if (state.target === undefined) return void client.resetAndDestroy()
    sessions.add(openSession(client, state.target, hooks))
  }

  const server = createServer((client) => {
    client.on('error', () => undefined)
    if (!state.isSilent) return open(client)
    client.pause()
    waiting.push(client)
  })

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    route: (to) => void (state.target = to),
    endSessions() {
      state.isSilent = false
      for (const { client, upstream } of sessions) {
        client.resetAndDestroy()
        upstream.destroy()
      }
      sessions.clear()
      for (const client of waiting.splice(0)) client.resetAndDestroy()
    },
    silence() {
      state.isSilent = true
      for (const { client, upstream } of sessions) {
        client.pause()
        upstream.pause()
      }
    },
    speak() {
      state.isSilent = false
      for (const session of sessions) {
        const { client, upstream } = session
        if (client.destroyed || upstream.destroyed) {
          sessions.delete(session)
          endSession(session)
        }
        client.resume()
        upstream.resume()
      }
      for (const client of waiting.splice(0)) if (!client.destroyed) open(client)
    },
    cutNextCommit: (how) => new Promise((done) => (state.cut = { how, done })),
    inNextTransaction: (act) =>
      new Promise((resolve) => {
        state.atLock = () => {
          act()
          resolve()
        }
      }),
    stop() {
      for (const session of sessions) endSession(session)
      for (const client of waiting) client.destroy()
      server.close()
    },
  }
}

interface State {
  /** The port that new connections lead to. */
  target: number | undefined
  isSilent: boolean
  cut: { readonly how: Cut; readonly done: () => void } | undefined
  atLock: (() => void) | undefined
}
