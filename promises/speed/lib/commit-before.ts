// The same load on another build, in rounds that alternate: `BENCH_BASE=<a clone of the commit before, built>`. What the machine
// does falls on both, so that a share is comparable where two runs on two days are not.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { atLeast, type Row } from '../../rig/case.ts'
import { onHits, type HitScene } from '../../rig/scenes/hits.ts'
import type { Load } from '../../rig/load/load.ts'
import { median } from '../../rig/load/rounds.ts'

export interface Comparison {
  /** Tokens of each of the two consoles. */
  readonly tokens: number
  /** Before the first round: what warms it up, or gives it a history. */
  readonly prepare: (scene: HitScene) => Promise<unknown>
  /**
   * One round, of two seconds at most: meanwhile the other console rests, twice in a row, and V8's memory saver begins after five
   * seconds of it (docs/decisions/0027).
   */
  readonly ask: (scene: HitScene) => Promise<Load>
  /** What is compared, the more the better; without it the rate. */
  readonly speed?: (load: Load) => number
}

const ROUNDS = 20
const LEAST = 95

/** A row, if `BENCH_BASE` names another build; none otherwise. */
export async function againstCommitBefore(
  what: string,
  comparison: Comparison,
  base = process.env['BENCH_BASE'] ?? '',
): Promise<readonly Row[]> {
  if (base === '') return []
  const { build, commit } = builtClone(base)
  const { tokens, prepare, ask, speed = (load: Load): number => load.perSecond } = comparison
  return onHits(tokens, (now) =>
    onHits(
      tokens,
      async (before) => {
        for (const scene of [now, before]) await prepare(scene)
        const [ours, theirs]: [number[], number[]] = [[], []]
        const askNow = async (): Promise<unknown> => ours.push(speed(await ask(now)))
        const askBefore = async (): Promise<unknown> => theirs.push(speed(await ask(before)))
        // Who comes first finds the disk busy with what the last round left: they take turns.
        for (let round = 0; round < ROUNDS; round++)
          for (const one of round % 2 === 0 ? [askNow, askBefore] : [askBefore, askNow]) await one()
        return [shareRow(`${what}, of the commit before (${commit})`, ours, theirs)]
      },
      { build },
    ),
  )
}

/** The middle of the rounds’ shares decides. */
export const shareRow = (what: string, ours: readonly number[], theirs: readonly number[]): Row =>
  atLeast(what, 100 * median(ours.map((our, at) => our / (theirs[at] ?? Number.NaN))), '%', LEAST)

/** The bundles of a clone, and its commit; throws where there are none. */
export function builtClone(base: string): { readonly build: string; readonly commit: string } {
  const build = join(resolve(base), '.build')
  if (!existsSync(join(build, 'rookery.mjs')))
    throw new Error(`BENCH_BASE names ${base}, which has no .build/rookery.mjs: build it there first.`)
  const commit = execFileSync('git', ['-C', base, 'describe', '--always', '--dirty'], { encoding: 'utf8' })
  return { build, commit: commit.trim() }
}
