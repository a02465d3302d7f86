// The handshake of one connection, up to its login. Its bytes and its time are limited, however slowly they come.
import type { Socket } from 'node:net'
import { limit } from '@rookery/kernel/limit.ts'
import type { Clock } from '@rookery/kernel/world.ts'
import type { LoginEnd, LoginProtocol } from '@rookery/tokens/login-protocol.ts'
import { openInbox } from './inbox.ts'

/** All that one client sends up to its login: no codec waits for more. */
const BYTES = limit('login_bytes', 16 * 1024)
/** Requests of one client before its login: for TLS, then for GSSAPI. */
const REQUESTS = limit('requests_before_login', 2)
const HANDSHAKE_MS = 10_000

export interface Handshake<L> {
  readonly socket: Socket
  readonly protocol: Pick<LoginProtocol<L>, 'read'>
  readonly clock: Clock
  /** Sent first. */
  readonly greeting: Uint8Array
}

/** Leaves the socket paused. Resolves with undefined where the connection ends before; rejects where the codec throws. */
export function readLogin<L>({
  socket,
  protocol,
  clock,
  greeting,
}: Handshake<L>): Promise<LoginEnd<L> | undefined> {
  const inbox = openInbox()
  let needed = 1
  let requests = 0

  /** What ends the handshake; undefined while it goes on. */
  function advance(): LoginEnd<L> | undefined {
    for (let bytes = inbox.whole(needed); bytes; bytes = inbox.whole(needed)) {
      const step = protocol.read(bytes)
      if (step.name === 'login' || step.name === 'refused') return step
      if (step.name === 'incomplete') {
        needed = Math.max(step.bytes, bytes.length + 1)
        continue
      }
      if (++requests > REQUESTS.max) {
        REQUESTS.hit()
        return { name: 'refused', answer: Buffer.alloc(0) }
      }
      inbox.drop(step.bytes)
      needed = 1
      socket.write(step.answer)
    }
    return undefined
  }

  /** What came behind a login with a question is read as its reply. */
  function keepReply(end: LoginEnd<L>): void {
    if (end.name !== 'login' || end.question === undefined) return
    inbox.drop(end.question.loginBytes)
    const reply = inbox.whole(1)
    if (reply) socket.unshift(reply)
  }

  return new Promise((resolve, reject) => {
    const cancel = clock.after(HANDSHAKE_MS, () => socket.destroy())
    const settle = (settled: () => void): void => {
      cancel()
      socket.off('data', take)
      settled()
    }
    const take = (bytes: Buffer): void => {
      inbox.add(bytes)
      try {
        const end = advance()
        if (end) {
          // What a client sends behind its login waits with the system.
          socket.pause()
          settle(() => resolve(end))
          return keepReply(end)
        }
      } catch (error) {
        return settle(() => reject(error as Error))
      }
      if (inbox.received() < BYTES.max) return
      BYTES.hit()
      socket.destroy()
    }
    socket.once('close', () => settle(() => resolve(undefined)))
    socket.on('data', take)
    socket.resume()
    if (greeting.length > 0) socket.write(greeting)
  })
}
