// The mutations of a service at the size of a test; `npm run gate -- G5` sends a million. `ROOKERY_MUTATIONS` sets another number.
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { isShort, sized } from '@rookery/kernel/test/size.ts'
import { runMutations } from './run.ts'
import type { MutationTargets } from './target.ts'

const FRAMES = Number(process.env['ROOKERY_MUTATIONS'] ?? sized(3_000, 200))
const SEED = process.env['ROOKERY_SEED'] ?? randomBytes(6).toString('hex')
const MAX_MS = 2_000

export function testMutations(targets: MutationTargets): void {
  test.each(Object.entries(targets))(
    `${FRAMES} changed frames of %s are answered without a throw, within bounds (seed ${SEED})`,
    { timeout: 60_000 + FRAMES },
    async (_, target) => {
      const { failures, slowestMs, meanAnswer } = await runMutations(target, { frames: FRAMES, seed: SEED })
      expect(failures).toEqual([])
      expect(slowestMs).toBeLessThan(MAX_MS)
      // They come as far as an answer. Of a few frames the mean is any: half of it is enough.
      expect(meanAnswer).toBeGreaterThan(target.leastMeanAnswer / (isShort ? 2 : 1))
    },
  )
}
