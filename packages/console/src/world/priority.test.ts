import { execFileSync } from 'node:child_process'
import { getPriority } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const LOWEST = 19

/** The priority of a process that was started with `nice`, after it has lowered it by 10. */
function loweredFrom(nice: number): number {
  const script = `import { getPriority } from 'node:os'
    import { lowerPriority } from ${JSON.stringify(join(import.meta.dirname, 'priority.ts'))}
    lowerPriority(10)
    console.log(getPriority())`
  const args = ['-n', String(nice), process.execPath, '--input-type=module', '-e', script]
  return Number(execFileSync('nice', args, { encoding: 'utf8' }))
}

it('is lowered from that of its starter, as far as it goes', () => {
  const own = getPriority()
  expect([loweredFrom(0), loweredFrom(15)]).toEqual([Math.min(LOWEST, own + 10), LOWEST])
})
