// The gate G3, whole: it takes ten seconds.
import { beforeAll, expect, it } from 'vitest'
import { prepare } from '../../tools/prepare.mjs'
import { cannotMount, fillTheDisk } from './lib/disk-full.ts'
import { toItsEnd } from './lib/to-its-end.ts'

beforeAll(() => prepare({ bundle: true }))

it('a full disk, and a start on it, loses nothing that was acknowledged; with room again all goes on', async (context) => {
  const reason = await cannotMount()
  if (reason !== undefined) context.skip(reason)
  const found = await toItsEnd(fillTheDisk())
  expect(found).toMatchObject({
    lostHits: 0,
    doubledHits: 0,
    lostEvents: 0,
    doubledEvents: 0,
    failures: [],
    integrity: 'ok',
  })
  expect(found.held).toBeGreaterThan(0)
})
