// What the page asks first of its longest lists: the rows of one screen, as the console answers them.
import { atMost, percentile, type Row } from '../../rig/case.ts'
import type { Params, RunningConsole } from '../../rig/scenes/console.ts'
import { onBothEngines } from '../../rig/scenes/engines.ts'
import { seedBirds } from '../../rig/scenes/many-birds.ts'
import { seedTokens } from '../../rig/scenes/many-tokens.ts'
import { sized } from '../../rig/scale.ts'

const TOKENS = sized(130_000, 6_000)
const BIRDS = sized(10_000, 1_000)
const ASKED = sized(20, 5)
/** From the question to the first row in the list. */
const MAX_MS = 500

const LISTS: readonly (readonly [name: string, path: string, params: Params])[] = [
  ['tokens, first page', '/decoytokens/search', {}],
  ['tokens, first page of a text', '/decoytokens/search', { filter_str: 'host 77' }],
  ['Birds, first page', '/devices/rows', {}],
  ['Birds, first page of a text', '/devices/rows', { filter_str: 'bird-77' }],
]

/** The slowest answer to each, the first one included. */
export const measureLists = (): Promise<{ readonly rows: Row[]; readonly note: string }> =>
  onBothEngines(async (sqlite) => {
    await seedTokens(sqlite, TOKENS)
    await seedBirds(sqlite, BIRDS)
    const console = await sqlite.start()
    const rows: Row[] = []
    for (const [name, path, params] of LISTS) {
      const times: number[] = []
      for (let n = 0; n < ASKED; n++) times.push(await timed(console, path, params))
      rows.push(atMost(name, percentile(times, 1), 'ms', MAX_MS))
    }
    return { rows, note: `lists of ${TOKENS} tokens and ${BIRDS} Birds, the slowest of ${ASKED}` }
  })

async function timed(console: RunningConsole, path: string, params: Params): Promise<number> {
  const startedAt = performance.now()
  const { status } = await console.get(path, params)
  if (status !== 200) throw new Error(`${path} answered ${status}`)
  return performance.now() - startedAt
}
