// A Bird that nobody has commissioned, which sends heartbeats as fast as it can and never reads the answers.
import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { PROTOCOL } from '@rookery/link/messages.ts'
import { keyPair } from '@rookery/link/noise/keys.ts'
import { session } from '@rookery/link/session.ts'
import { clocks, spool, state } from './pending-bird.ts'

/** Connects again whenever it is cut off; answers how many frames it has sent. */
export async function heartbeats(port: number, most: number, isOver: () => boolean): Promise<number> {
  const staticKey = keyPair(randomBytes(32))
  let sent = 0
  while (!isOver() && sent < most) {
    sent += await oneLink(port, staticKey, () => isOver() || sent >= most)
    await pause(100)
  }
  while (!isOver()) await pause(100)
  return sent
}

function oneLink(
  port: number,
  staticKey: ReturnType<typeof keyPair>,
  isOver: () => boolean,
): Promise<number> {
  const noise = session({
    role: 'initiator',
    staticKey,
    clock: { now: () => Date.now() },
    random: { bytes: (length) => randomBytes(length) },
  })
  const socket = new WebSocket(`ws://127.0.0.1:${port}/bird/v1/link`, {
    perMessageDeflate: false,
    localAddress: '127.0.0.66',
  })
  let sent = 0
  const push = (messages: readonly Buffer[]): void =>
    messages.forEach((message) => socket.send(message, () => undefined))

  function beat(): void {
    if (isOver()) return socket.terminate()
    if (socket.readyState !== WebSocket.OPEN) return
    for (let n = 0; n < 100 && socket.bufferedAmount < 1_000_000; n++, sent++)
      push(noise.send({ kind: 'HEARTBEAT', body: { ...clocks(), ...state, spooled: 0 } }))
    setTimeout(beat, 1)
  }
  return new Promise((resolve) => {
    socket.on('open', () => socket.send(noise.begin()))
    socket.on('message', (data) => {
      const { reply, opened, frame } = noise.receive(data as Buffer)
      if (reply) push([reply])
      if (opened)
        push(
          noise.send({
            kind: 'HELLO',
            body: {
              protocol: PROTOCOL,
              version: '3.0.0',
              ...clocks(),
              ...state,
              device: {
                name: 'stranger',
                ip: '10.0.0.6',
                mac: '',
                netmask: '',
                os: 'Linux',
                sensor: 'linux-x64',
              },
              spool,
            },
          }),
        )
      if (frame?.kind === 'PENDING') {
        socket.pause()
        beat()
      }
    })
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(sent))
    // A paused socket does not see its end.
    const watch = setInterval(() => {
      if (isOver()) socket.terminate()
      else if (socket.isPaused && socket.bufferedAmount >= 1_000_000) socket.terminate()
      else return
      clearInterval(watch)
    }, 1_000)
    socket.on('close', () => clearInterval(watch))
  })
}
