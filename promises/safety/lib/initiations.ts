// Mutated first messages of a handshake at the WireGuard server, and whether it still hears true ones.
import { createSocket, type Socket } from 'node:dgram'
import { setTimeout as pause } from 'node:timers/promises'
import type { RunningConsole } from '../../rig/scenes/console.ts'
import { INITIATION, mac1Of } from '../../../packages/tokens/src/channels/wireguard/noise.ts'
import { sealInitiation } from '../../../packages/tokens/src/channels/wireguard/seal-initiation.ts'
import type { Dice } from './dice.ts'

export interface Initiations {
  /** Messages of which a few bytes, and sometimes the length, are changed; half of them under a MAC that fits. */
  sendMutated(count: number): Promise<void>
  /** Whether a true message still makes its token fire. */
  isHeard(): Promise<boolean>
  stop(): void
}

interface Client {
  readonly tokenId: string
  /** A new message of this client. */
  readonly seal: () => Buffer
}

/** Each has an address of its own, since one source is heard 20 times a second. */
const SOCKETS = 32
const TRUE_MESSAGES = 64
/** Messages that are sent before the next are made. */
const AT_ONCE = 256
const PATIENCE_MS = 15_000

export async function openInitiations(console: RunningConsole, dice: Dice): Promise<Initiations> {
  const bytes = (length: number): Buffer => Buffer.from(Array.from({ length }, () => dice.between(0, 255)))
  const { client: mutated, responder } = await plant(console, bytes)
  const { client: heard } = await plant(console, bytes)
  const messages = Array.from({ length: TRUE_MESSAGES }, mutated.seal)
  const mac1 = mac1Of(responder)
  const sockets = await Promise.all(Array.from({ length: SOCKETS }, (_, n) => socketAt(`127.2.${n}.1`)))
  const send = (message: Buffer, socket: Socket): Promise<void> =>
    new Promise((resolve) => socket.send(message, console.wireguardPort, '127.0.0.1', () => resolve()))

  function mutate(): Buffer {
    const message = Buffer.from(messages[dice.between(0, TRUE_MESSAGES - 1)] ?? '')
    for (let n = dice.between(1, 4); n > 0; n--)
      message[dice.between(0, message.length - 1)] = dice.between(0, 255)
    if (dice.between(0, 9) === 0) return message.subarray(0, dice.between(0, message.length))
    if (dice.between(0, 1) === 0) mac1(message.subarray(0, INITIATION.mac1)).copy(message, INITIATION.mac1)
    return dice.between(0, 49) === 0 ? Buffer.concat([message, bytes(dice.between(1, 200))]) : message
  }

  return {
    async sendMutated(count) {
      for (let sent = 0; sent < count; sent += AT_ONCE)
        await Promise.all(
          Array.from({ length: Math.min(AT_ONCE, count - sent) }, (_, n) =>
            send(mutate(), sockets[n % SOCKETS] ?? sockets[0]!),
          ),
        )
    },
    async isHeard() {
      const socket = await socketAt('127.3.0.1')
      try {
        for (const startedAt = performance.now(); performance.now() - startedAt < PATIENCE_MS;) {
          await send(heard.seal(), socket)
          await pause(250)
          const { json } = await console.get('/decoytoken/fetch', { decoytoken: heard.tokenId })
          if (Number((json['token'] as { triggered_count?: number })?.triggered_count) > 0) return true
        }
        return false
      } finally {
        socket.close()
      }
    },
    stop: () => sockets.forEach((socket) => socket.close()),
  }
}

async function plant(
  console: RunningConsole,
  bytes: (length: number) => Buffer,
): Promise<{ client: Client; responder: Buffer }> {
  const { text, json } = await console.post('/decoytoken/create', { kind: 'vpn', memo: 'G5' })
  const tokenId = (json['decoytoken'] as { decoytoken?: string })?.decoytoken
  if (tokenId === undefined) throw new Error(`A token was refused: ${text}`)
  const file = await console.get('/decoytoken/download', { decoytoken: tokenId })
  const keyNamed = (name: string): Buffer =>
    Buffer.from(new RegExp(`^${name} = (\\S+)$`, 'm').exec(file.text)?.[1] ?? '', 'base64')
  const [own, responder] = [keyNamed('PrivateKey'), keyNamed('PublicKey')]
  const seal = (): Buffer => sealInitiation({ own, responder, ephemeral: bytes(32), sentAt: Date.now() })
  return { client: { tokenId, seal }, responder }
}

/** Every address of 127.0.0.0/8 is this machine. */
const socketAt = (address: string): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = createSocket('udp4')
    socket.once('error', reject)
    socket.bind(0, address, () => resolve(socket))
  })
