import { expect, it } from 'vitest'
import { inspect } from './inspect.mjs'

const found = (path: string, from: string) =>
  inspect(path, `import { a } from '${from}'\n`).map(({ rule }) => rule)

it('promises share the rig, and the rig knows none of them', () => {
  expect(found('promises/speed/token-hits.ts', '../rig/case.ts')).toEqual([])
  expect(found('promises/speed/token-hits.ts', './lib/text-kinds.ts')).toEqual([])
  expect(found('promises/speed/token-hits.ts', '../safety/lib/dice.ts')).toEqual(['promise'])
  expect(found('promises/tools/nmap.ts', '../safety/power-cuts.ts')).toEqual(['promise'])
  expect(found('promises/rig/report.ts', '../tools/lib/proof.ts')).toEqual(['promise'])
  expect(found('promises/proof.ts', './tools/lib/runner.ts')).toEqual([])
})
