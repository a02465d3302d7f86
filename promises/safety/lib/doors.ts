// Where garbage goes in: each port of each decoy, and each listener of a token channel.
import { createSocket } from 'node:dgram'
import { encode } from 'dns-packet'
import type { RunningConsole } from '../../rig/scenes/console.ts'
import { everyDecoyPort } from '../../rig/scenes/every-decoy.ts'
import { sendDatagram, sendGarbage, sendInsideTls, speaksTls } from './garbage.ts'

export interface Door {
  readonly name: string
  /** Whose beginnings are spoiled (`garbage.ts`). */
  readonly service: string
  readonly isTls?: true
  /** Rejects when no process listens. */
  readonly send: (bytes: Buffer) => Promise<void>
}

/** On a busy machine a handshake may take longer than a port is given for it. */
const LOOKS = 4

/** Each port of each decoy; one that speaks TLS is two, as garbage comes within it and without. */
export async function decoyDoors(offset: number): Promise<readonly Door[]> {
  for (let look = 1; ; look++) {
    const doors = await lookAtDecoys(offset)
    if (look === LOOKS || doors.some(({ isTls }) => isTls)) return doors
  }
}

async function lookAtDecoys(offset: number): Promise<readonly Door[]> {
  const doors = await Promise.all(
    everyDecoyPort.map(async ({ service, transport, port }): Promise<Door[]> => {
      const at = port + offset
      if (transport === 'udp')
        return [{ name: `${service} by UDP`, service, send: (bytes) => sendDatagram(at, bytes) }]
      return (await speaksTls(at)) ? [bare(service, at), withinTls(service, at)] : [bare(service, at)]
    }),
  )
  return doors.flat()
}

const bare = (service: string, port: number): Door => ({
  name: service,
  service,
  send: (bytes) => sendGarbage(port, bytes),
})

const withinTls = (service: string, port: number): Door => ({
  name: `${service} within TLS`,
  service,
  isTls: true,
  send: (bytes) => sendInsideTls(port, bytes),
})

/** Of each token channel by its name. WireGuard has messages of its own (`initiations.ts`). */
const DOORS: Readonly<Record<string, (port: number) => readonly Door[]>> = {
  dns: (port) => [
    { name: 'dns by UDP', service: 'dns by UDP', send: (bytes) => sendDatagram(port, bytes) },
    { name: 'dns by TCP', service: 'dns by TCP', send: (bytes) => sendGarbage(port, bytes) },
  ],
  http: (port) => [bare('http', port)],
  https: (port) => [bare('https', port), withinTls('https', port)],
  mysql: (port) => [bare('mysql', port)],
  postgres: (port) => [bare('postgres', port)],
  wireguard: () => [],
}

/** Throws the name of a channel that nobody has thought of here. */
export async function tokenDoors(console: RunningConsole): Promise<readonly Door[]> {
  const { json } = await console.get('/decoytokens/channels')
  const channels = json['channels'] as readonly { channel: string; listens: string }[]
  return channels.flatMap(({ channel, listens }) => {
    const doors = DOORS[channel]
    if (!doors) throw new Error(`No garbage is known for the channel ${channel}.`)
    return doors(Number(listens.split(':').at(-1)))
  })
}

const PATIENCE_MS = 10_000
const EVERY_MS = 250

/** Whether a name of the zone is still answered. */
export function isDnsHeard(port: number): Promise<boolean> {
  const query = encode({
    type: 'query',
    id: 7,
    questions: [{ name: 'heard.tokens.localhost', type: 'A' }],
  })
  const socket = createSocket('udp4')
  return new Promise((resolve) => {
    const end = (isHeard: boolean): void => {
      clearInterval(asking)
      clearTimeout(patience)
      socket.close()
      resolve(isHeard)
    }
    const ask = (): void => socket.send(query, port, '127.0.0.1')
    const asking = setInterval(ask, EVERY_MS)
    const patience = setTimeout(() => end(false), PATIENCE_MS)
    socket.once('error', () => end(false))
    socket.once('message', () => end(true))
    ask()
  })
}
