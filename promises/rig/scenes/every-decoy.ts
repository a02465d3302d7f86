// The local Bird of a console with every decoy open: whatever services there are, none is named here.
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { RunningConsole } from './console.ts'
import { descriptors } from '../../../packages/decoys/src/descriptors.gen.ts'
import type { ServiceDescriptor } from '../../../packages/decoys/src/settings/descriptor.ts'
import { portKeysOf, switchesOf, transportsOf } from '../../../packages/decoys/src/settings/instances.ts'

export interface DecoyPort {
  readonly service: string
  readonly transport: 'tcp' | 'udp'
  /** The logical one. */
  readonly port: number
}

/** Ports of the default settings, and those besides. */
const portsOf = (descriptor: ServiceDescriptor): readonly DecoyPort[] => {
  const { service, settings, portsBesides = [] } = descriptor
  const ports = portKeysOf(descriptor).map((key) => Number(settings[key]?.default))
  const own = transportsOf(descriptor).flatMap((transport) => ports.map((port) => ({ transport, port })))
  return [...own, ...portsBesides].map((it) => ({ service, ...it }))
}

export const everyDecoyPort: readonly DecoyPort[] = descriptors.flatMap(portsOf)

/** The port of a service's settings. */
export function portOfService(wanted: string): number {
  const found = everyDecoyPort.find(({ service }) => service === wanted)
  if (!found) throw new Error(`No decoy ${wanted} has a port.`)
  return found.port
}

const PATIENCE_MS = 20_000

/** Switches all of them on, and waits until their TCP ports accept; `offset` is that of the Bird's ports. */
export async function openEveryDecoy(
  console: RunningConsole,
  offset: number,
  over: object = {},
): Promise<void> {
  const enabled = descriptors
    .filter(({ transport }) => transport !== undefined)
    .flatMap((descriptor) => switchesOf(descriptor).map((key) => [key, true] as const))
  const { status, text } = await console.post('/device/configure_personality', {
    node_id: await localBird(console),
    personality: 'default',
    additional_settings: JSON.stringify({ ...Object.fromEntries(enabled), ...over }),
  })
  if (status !== 200) throw new Error(`The decoys cannot be switched on: ${text}`)
  await everyDecoyListens(offset)
}

/** Resolves once each TCP port accepts; throws the name of one that does not. */
export async function everyDecoyListens(offset: number): Promise<void> {
  const until = performance.now() + PATIENCE_MS
  for (const { service, transport, port } of everyDecoyPort) {
    if (transport !== 'tcp') continue
    while (!(await accepts(port + offset))) {
      if (performance.now() > until)
        throw new Error(`The decoy ${service} does not listen on ${port + offset}.`)
      await pause(50)
    }
  }
}

async function localBird(console: RunningConsole): Promise<string> {
  const until = performance.now() + PATIENCE_MS
  for (;;) {
    const found = /Local Bird\s+([0-9a-f]+) on/.exec(console.said())?.[1]
    if (found !== undefined) return found
    if (performance.now() > until) throw new Error(`There is no local Bird: ${console.said()}`)
    await pause(50)
  }
}

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
