// The gate G8 at the size of a test, on both engines.
import { expect, it } from 'vitest'
import { freshDatabase } from '../../packages/console/test/test-console.ts'
import { jumpClocks } from './lib/jumps.ts'
import { toItsEnd } from './lib/to-its-end.ts'

it.each(['sqlite', 'postgres'] as const)(
  'clocks that jump, and Birds a day wrong, hide no change from a poller (%s)',
  async (engine) => {
    const databaseUrl = engine === 'postgres' ? await freshDatabase() : undefined
    const jumped = await toItsEnd(
      jumpClocks({ events: 60, ...(databaseUrl !== undefined && { databaseUrl }) }),
    )
    expect(jumped).toMatchObject({ missed: 0, unordered: 0, miscounted: 0, early: 0, refused: 0 })
    expect(jumped.changes).toBeGreaterThan(50)
  },
)
