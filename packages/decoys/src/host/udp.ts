// A UDP port: every datagram is a short conversation of its own, so that spoofed sources leave nothing behind.
import { createSocket } from 'node:dgram'
import { isIPv6 } from 'node:net'
import type { Listener, Reply } from '../session.ts'
import type { Door } from './door.ts'
import { plainAddress, type House } from './house.ts'

/** Delayed answers that may wait at a time; beyond it they are dropped, as datagrams are. */
const MOST_DELAYED = 1_000

/** Binds the port; rejects with the system's error. */
export async function openUdp(bind: string, port: number, listener: Listener, house: House): Promise<Door> {
  const socket = createSocket({ type: isIPv6(bind) ? 'udp6' : 'udp4' })
  const delays = new Set<() => void>()
  let isOpen = true
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject)
    socket.bind({ address: bind, port, exclusive: true }, () => {
      socket.off('error', reject)
      socket.on('error', (error) => house.thrown(error))
      resolve()
    })
  })

  socket.on('message', (bytes, from) => {
    house.stats.datagrams += 1
    const context = house.context(
      { host: plainAddress(from.address), port: from.port },
      { host: plainAddress(socket.address().address), port: door.listener.port },
    )
    const { listener } = door
    try {
      const conversation = listener.converse(context)
      let replies: readonly Reply[] = [conversation.open(), ...conversation.receive(bytes)]
      for (;;) {
        for (const reply of replies) if (reply.events) house.raise(reply.events, listener, context)
        for (const reply of replies) answer(reply, from)
        if (!conversation.hasMore) break
        replies = conversation.resume()
      }
      house.raise(conversation.gone(), listener, context)
    } catch (thrown) {
      house.thrown(thrown)
    }
  })

  function answer({ send, delayMs, thrown }: Reply, to: { address: string; port: number }): void {
    if (thrown !== undefined) house.thrown(thrown)
    if (!send || to.port === 0) return
    // A refused answer (an unreachable peer) is the peer's affair.
    const go = (): void => void (isOpen && socket.send(send, to.port, to.address, () => {}))
    if (!delayMs) return go()
    if (delays.size >= MOST_DELAYED) return
    const cancel = house.clock.after(delayMs, () => {
      delays.delete(cancel)
      go()
    })
    delays.add(cancel)
  }

  const door: Door = {
    port: socket.address().port,
    listener,
    close: () =>
      new Promise((resolve) => {
        isOpen = false
        for (const cancel of delays) cancel()
        socket.close(() => resolve())
      }),
  }
  return door
}
