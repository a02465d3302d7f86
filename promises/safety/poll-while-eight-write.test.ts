// The gate G12 at the size of a test, on both engines.
import { beforeAll, expect, it } from 'vitest'
import { freshDatabase } from '../../packages/console/test/test-console.ts'
import { prepare } from '../../tools/prepare.mjs'
import { pollWhileWriting } from './lib/polling.ts'
import { toItsEnd } from './lib/to-its-end.ts'

beforeAll(() => prepare({ bundle: true }))

it.each(['sqlite', 'postgres'] as const)(
  'a poller of incidents_since misses no change of eight writers (%s)',
  async (engine) => {
    const databaseUrl = engine === 'postgres' ? await freshDatabase() : undefined
    const polled = await toItsEnd(
      pollWhileWriting({
        changes: 800,
        tokens: 40,
        ...(databaseUrl !== undefined && { databaseUrl }),
      }),
    )
    expect(polled).toMatchObject({ missed: 0, unordered: 0, refused: 0 })
    expect(polled.changes).toBeGreaterThan(800)
  },
)
