// Starts the real server and our decoy of a service next to each other, and compares what they answer.
import type { CountCrashes } from './crash-watch.ts'
import { compareEndurance, type Endurance, type EnduranceResult } from './endurance.ts'
import { compareFresh, type FreshResult, type Grammar } from './fresh.ts'
import type { Endpoint } from './observe.ts'
import { ourHost, REAL_HOST } from './real-server.ts'
import { nameOf, realServers, startRealServer } from './real-servers.ts'
import { startDecoys } from './start-decoys.ts'

interface Pair {
  readonly grammar: Grammar
  readonly endurance: Endurance
  readonly real: Endpoint
  readonly ours: Endpoint
  readonly crashes: CountCrashes
}

/** Asks both fresh probes. */
export const judgeService = (
  name: string,
  count: number,
  seed: string,
  folder: string,
): Promise<FreshResult> => withBoth(name, folder, (pair) => compareFresh({ ...pair, seed, count }))

/** Tries the patience of both. Takes six minutes, most of them without work. */
export const judgeEndurance = (name: string, folder: string): Promise<EnduranceResult> =>
  withBoth(name, folder, (pair) => compareEndurance({ ...pair, masks: pair.grammar.masks }))

/** Needs the real ports of both addresses: a network namespace of its own. */
async function withBoth<Result>(
  name: string,
  folder: string,
  compare: (pair: Pair) => Promise<Result>,
): Promise<Result> {
  const server = realServers.find((one) => nameOf(one) === name)
  if (!server) {
    throw new Error(
      `There is no real server for "${name}"; there is one for ${realServers.map(nameOf).join(', ')}.`,
    )
  }
  const { service, settings = [], lab } = server
  const { grammar, endurance } = (await import(`../lab/${lab}/grammar.ts`)) as Pick<
    Pair,
    'grammar' | 'endurance'
  >
  const { port, transport } = server
  const [real, ours] = [
    { host: REAL_HOST, port },
    { host: ourHost(transport), port },
  ]
  const running = await startRealServer(server, folder)
  try {
    const decoy = await startDecoys([`${service}.enabled=true`, ...settings], port, transport)
    try {
      return await compare({ grammar, endurance, real, ours, crashes: decoy.crashes })
    } finally {
      await decoy.stop()
    }
  } finally {
    await running.stop()
  }
}
