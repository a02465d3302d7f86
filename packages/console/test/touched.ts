// A Bird that is touched, and what came of it: for tests of the ignore lists.
import type { Resolver } from '@rookery/kernel/world.ts'
import { addBird } from './birds.ts'
import { openTestConsole, type TestConsole, type TestConsoleOptions } from './test-console.ts'
import { sshLogin } from './touches.ts'

export type Touched = Parameters<typeof sshLogin>[0]

interface Listed {
  readonly description: {
    readonly logtype: string
    readonly src_host: string
    readonly events_count: string
    readonly matched_annotations: Readonly<Record<string, readonly string[]>>
  }
}

export interface Zones {
  readonly reverse: Readonly<Record<string, readonly string[]>>
  readonly forward: Readonly<Record<string, readonly string[]>>
}

/** A resolver that knows these zones; of an address in `silent` it says nothing until `answer` is called. */
export function zones({ reverse, forward }: Zones, silent: readonly string[] = []) {
  let answer = (): void => undefined
  const answered = new Promise<void>((resolve) => (answer = resolve))
  const asked: string[] = []
  const resolver: Resolver = {
    async reverse(address) {
      asked.push(address)
      if (silent.includes(address)) await answered
      return [...(reverse[address] ?? [])]
    },
    addresses: (name) => Promise.resolve([...(forward[name] ?? [])]),
  }
  return { resolver, asked, answer: () => answer() }
}

export const SCANNER = '192.0.2.7'
export const OURS: Zones = {
  reverse: { [SCANNER]: ['scan1.scanners.example.com'], '192.0.2.8': ['scan2.myscanners.example.com'] },
  forward: { 'scan1.scanners.example.com': [SCANNER], 'scan2.myscanners.example.com': ['192.0.2.8'] },
}

export async function openTouched(options: TestConsoleOptions) {
  const rookery = await openTestConsole(options)
  const nodeId = await addBird(rookery, {})
  let seq = 0
  return {
    rookery,
    nodeId,
    /** Touches of the Bird in one batch; resolves, as for the Bird, once they are stored. */
    async touch(...touches: readonly Touched[]): Promise<number> {
      return rookery.console.ingest.fromBird({
        nodeId,
        spoolId: 's',
        receivedAt: Date.now(),
        events: touches.map((change) => ({ seq: ++seq, touch: sshLogin({ nodeId, ...change }).touch })),
      })
    },
  }
}

/** The lists are settings: each change raises an incident of its own. */
const isOfSettings = (logtype: string): boolean => /^2300[1-3]$/.test(logtype)

export const incidents = async (rookery: TestConsole): Promise<Listed['description'][]> => {
  const { incidents } = await rookery.api.incidentQueries.all()
  return incidents.map(({ description }) => description).filter(({ logtype }) => !isOfSettings(logtype))
}
export const sources = async (rookery: TestConsole): Promise<string[]> =>
  (await incidents(rookery)).map(({ src_host, events_count }) => `${src_host} ${events_count}`).sort()

/** How many touches each list has silenced. */
export async function counted(rookery: TestConsole): Promise<Record<string, number>> {
  const text = await (await fetch(`${rookery.console.apiUrl ?? ''}/metrics`)).text()
  const found = text.matchAll(/^rookery_touches_ignored_total\{list="(\w+)"\} (\d+)$/gm)
  return Object.fromEntries([...found].map(([, list = '', n]) => [list, Number(n)]))
}

/** Makes deferred touches so old that the process that deferred them counts as dead. */
export const ageHeld = (rookery: TestConsole): Promise<void> =>
  rookery.console.base.writer.write(async (tx) => {
    await tx.query.updateTable('deferred_touch').set({ deferred_at: 1 }).execute()
  })
