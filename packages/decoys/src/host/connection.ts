// One TCP connection: moves bytes between a socket and a conversation, and ends as real servers end.
import type { Socket } from 'node:net'
import type { Listener, Reply } from '../session.ts'
import { plainAddress, type House } from './house.ts'

/** Serves the socket until it is closed; nothing escapes, whatever the session throws. */
export function serve(socket: Socket, listener: Listener, house: House): void {
  const { clock, limits, stats } = house
  const context = house.context(
    { host: plainAddress(socket.remoteAddress), port: socket.remotePort ?? -1 },
    { host: plainAddress(socket.localAddress), port: listener.port },
  )
  let cancelDelay: (() => void) | undefined
  let cancelIdle: (() => void) | undefined
  let lastActivityAt = clock.now()
  /** The peer has sent its FIN; we answer what is left and close. */
  let isHalfOpen = false
  /** Our last byte is on its way; whatever comes now is thrown away. */
  let isClosing = false
  let isBlocked = false

  const conversation = guarded(() => listener.converse(context))
  if (!conversation) {
    socket.on('error', () => {})
    socket.resetAndDestroy()
    return
  }

  stats.open += 1
  socket.on('data', (bytes) => {
    if (isClosing) return
    lastActivityAt = clock.now()
    carry(conversation.receive(bytes))
  })
  socket.on('end', () => {
    isHalfOpen = true
    if (isClosing) socket.destroy()
    else settle()
  })
  socket.on('drain', () => {
    isBlocked = false
    lastActivityAt = clock.now()
    if (!isClosing && !cancelDelay) goOn()
  })
  socket.on('error', () => socket.destroy())
  socket.on('close', () => {
    stats.open -= 1
    cancelDelay?.()
    cancelIdle?.()
    isClosing = true
    guarded(() => house.raise(conversation.gone(), listener, context))
  })
  watch(conversation.limits.idleMs)
  carry([conversation.open()])

  /** Raises every event, then sends every answer in as few writes as it takes. */
  function carry(replies: readonly Reply[]): void {
    let text = ''
    const send = (): void => {
      if (text) write(text)
      text = ''
    }
    for (const reply of replies)
      if (reply.events) guarded(() => house.raise(reply.events!, listener, context))
    for (const reply of replies) {
      if (reply.thrown !== undefined) house.thrown(reply.thrown)
      if (reply.delayMs) {
        send()
        return wait(reply)
      }
      if (typeof reply.send === 'string') text += reply.send
      else if (reply.send) {
        send()
        write(reply.send)
      }
      if (reply.close) {
        send()
        return close(reply.close)
      }
    }
    send()
    settle()
  }

  function write(bytes: string | Buffer): void {
    if (socket.destroyed || !socket.writable) return
    if (!socket.write(bytes) && socket.writableLength > limits.highWaterBytes) {
      isBlocked = true
      socket.pause()
    }
  }

  function wait({ delayMs = 0, send, close: how }: Reply): void {
    socket.pause()
    cancelDelay = clock.after(delayMs, () => {
      cancelDelay = undefined
      lastActivityAt = clock.now()
      if (send) write(send)
      if (how) close(how)
      else if (!isBlocked) goOn()
    })
  }

  function goOn(): void {
    if (conversation!.hasMore) carry(conversation!.resume())
    else settle()
  }

  /** Everything that can be answered now is answered: read on, or close behind a peer that has closed. */
  function settle(): void {
    if (isClosing || isBlocked || cancelDelay) return
    if (conversation!.hasMore) setImmediate(() => !isClosing && !isBlocked && !cancelDelay && goOn())
    else if (isHalfOpen) close('end')
    else if (socket.isPaused()) socket.resume()
  }

  function close(how: 'end' | 'reset'): void {
    if (isClosing) return
    isClosing = true
    cancelIdle?.()
    if (how === 'reset') {
      if (socket.writableLength === 0) socket.resetAndDestroy()
      else socket.write('', () => socket.resetAndDestroy())
    } else {
      socket.end()
      // A reset would eat the answer on its way to the peer: read what it still sends, then close (RFC 9112, 9.6).
      if (isHalfOpen) socket.once('finish', () => socket.destroy())
      else socket.resume()
    }
    cancelIdle = clock.after(limits.lingerMs, () => socket.destroy())
  }

  function watch(ms: number): void {
    cancelIdle = clock.after(ms, () => {
      if (isClosing) return
      const rest = conversation!.limits.idleMs - (clock.now() - lastActivityAt)
      if (rest > 0 || cancelDelay) return watch(rest > 0 ? rest : 1_000)
      // A peer that reads nothing has no use for a farewell.
      if (isBlocked) return void socket.resetAndDestroy()
      const reply = conversation!.idle()
      if (!reply) return close('end')
      lastActivityAt = clock.now()
      if (!reply.close) watch(conversation!.limits.idleMs)
      carry([reply])
    })
  }

  function guarded<T>(act: () => T): T | undefined {
    try {
      return act()
    } catch (thrown) {
      house.thrown(thrown)
      return undefined
    }
  }
}
