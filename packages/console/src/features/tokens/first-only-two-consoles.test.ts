// A token that raises its first incident only, touched through two consoles of one database at once.
import { expect, it } from 'vitest'
import { freshDatabase, openTestConsole, type TestConsole } from '../../../test/test-console.ts'

const TOUCHES = 20

it('raises one incident, whichever console is asked, and counts every touch', async () => {
  const env = { ROOKERY_DATABASE_URL: await freshDatabase(), ROOKERY_MASTER_KEY: 'ab'.repeat(32) }
  const consoles = [await openTestConsole({ env }), await openTestConsole({ env })] as const
  const [{ api }] = consoles
  const { decoytoken } = await api.tokens.create({ kind: 'http', memo: 'Wiki', first_only: true })
  const touch = ({ console }: TestConsole, n: number) =>
    console.ingest.fromToken({
      tokenId: decoytoken.decoytoken,
      visit: {
        channel: 'http',
        method: 'GET',
        path: '/',
        headers: {},
        srcHost: `192.0.2.${n}`,
        dstPort: 80,
      },
      srcPort: 1,
      dstHost: 'x',
      receivedAt: Date.now(),
    })
  await Promise.all(
    consoles.flatMap((console, at) =>
      Array.from({ length: TOUCHES }, (_, n) => touch(console, at * TOUCHES + n + 1)),
    ),
  )
  const { incidents } = await api.incidentQueries.all()
  expect(incidents.map(({ description }) => description.events_count)).toEqual([String(2 * TOUCHES)])
  const { token } = await api.tokens.fetch({ decoytoken: decoytoken.decoytoken })
  expect(token.triggered_count).toBe(2 * TOUCHES)
})
