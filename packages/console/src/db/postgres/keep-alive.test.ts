import { existsSync, readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { openProxy } from '../../../test/postgres-proxy.ts'
import { openPostgres } from './engine.ts'

const SOCKETS = '/proc/net/tcp'
const ESTABLISHED = '01'
/** The kernel's name for the timer of keep-alives. */
const KEEP_ALIVE = '02'
const TICKS_PER_SECOND = 100

/** Seconds until the kernel tests each connection to the port; undefined where it never does. */
function keepAlivesTo(port: number): (number | undefined)[] {
  const lines = readFileSync(SOCKETS, 'utf8').trim().split('\n').slice(1)
  return lines
    .map((line) => line.trim().split(/\s+/))
    .filter(
      ([, , remote = '', state]) =>
        state === ESTABLISHED && parseInt(remote.split(':')[1] ?? '', 16) === port,
    )
    .map(([, , , , , timer = '']) => {
      const [kind, ticks = ''] = timer.split(':')
      return kind === KEEP_ALIVE ? parseInt(ticks, 16) / TICKS_PER_SECOND : undefined
    })
}

it.skipIf(!existsSync(SOCKETS))(
  'every connection to PostgreSQL is tested by keep-alives after ten idle seconds (skipped where there is no /proc)',
  async () => {
    const proxy = await openProxy()
    const engine = openPostgres(proxy.url)
    onTestFinished(() => engine.close())
    // For writing, for reading, for long reads, for altering, and for the question about a commit.
    proxy.cutNextCommit('after the commit')
    await engine.transaction(async (tx) => void (await tx.updatedIds(1)))
    await engine.transaction(async (tx) => void (await tx.updatedIds(1)))
    await engine.commitSequence()
    await engine.longRead(engine.reader.selectFrom('meta').select('name').compile())
    await engine.alter(async (query) => void (await sql`SELECT 1`.execute(query)))
    const port = Number(new URL(proxy.url).port)
    await expect.poll(() => keepAlivesTo(port)).toEqual(Array(5).fill(expect.any(Number)))
    for (const seconds of keepAlivesTo(port)) expect(seconds).toBeLessThanOrEqual(10)
    expect(proxy.cuts()).toBe(1)
  },
)
