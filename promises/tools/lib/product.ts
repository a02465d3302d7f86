// The product as `npm start` runs it: console, token server and one Bird, in a data folder of their own.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { startConsole, type ConsoleOptions, type RunningConsole } from '../../rig/scenes/console.ts'
import { DECOY_PORTS } from '../../rig/scenes/local-bird.ts'
import { freeOffset } from '../../../tools/free-port.ts'
import { until } from './until.ts'

export const HOST = '127.0.0.1'

export interface Product {
  readonly console: RunningConsole
  /** Of the local Bird. */
  readonly nodeId: string
  /** Logical to real: `port(22)` is where its SSH listens. */
  readonly port: (logical: number) => number
  /** What a second start needs to be the same product again. */
  readonly options: ConsoleOptions
}

/** Starts it, on free ports unless they are given, and waits until the Bird's decoys listen. */
export async function startProduct(
  folder: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Product> {
  const dataDir = join(folder, 'data')
  mkdirSync(dataDir, { recursive: true })
  const offset = env['ROOKERY_BIRD_PORT_OFFSET'] ?? String(await freeOffset(DECOY_PORTS))
  return startAgain({ dataDir, command: 'up', env: { ROOKERY_BIRD_PORT_OFFSET: offset, ...env } })
}

/** Starts what ran with these options before. */
export async function startAgain(options: ConsoleOptions): Promise<Product> {
  const console = await startConsole(options)
  const nodeId = await until(
    'the local Bird listens',
    () => /Local Bird\s+([0-9a-f]+) on/.exec(console.said())?.[1],
  )
  const offset = Number(options.env?.['ROOKERY_BIRD_PORT_OFFSET'] ?? 0)
  const { port, tokensPort, dnsPort } = console
  return {
    console,
    nodeId,
    port: (logical) => logical + offset,
    options: { ...options, ports: { port, tokensPort, dnsPort } },
  }
}
