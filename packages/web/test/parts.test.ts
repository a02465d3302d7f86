// One part that throws leaves the rest standing: an answer that it cannot show is met with words and another try, in its place.
import { expect } from 'vitest'
import { plantAgain, type Seed } from '@rookery/console/test/seed.ts'
import { inBrowser, openSignedIn } from './rig.ts'

const it = inBrowser()

// Each is bent as an answer could be that this page does not know.
type Bend = (answer: Record<string, Bent>) => void
type Bent = { [name: string]: Bent } & { at?: never }
interface Part {
  readonly page: (seed: Partial<Seed>) => string
  readonly asks: string
  readonly bend: Bend
  /** What stands all the same. */
  readonly stands: string | RegExp
}
const nothing = null as unknown as Bent
const first = (many: Bent | undefined): Bent => Object.values(many ?? {})[0] ?? {}

const PARTS: Readonly<Record<string, Part>> = {
  'the plot of the overview': {
    page: () => '/overview',
    asks: 'incidents/timeline',
    bend: (answer) => void (answer['columns'] = nothing),
    stands: 'Health',
  },
  'a card of a Flock': {
    page: () => '/overview',
    asks: 'flocks/summary',
    bend: (answer) => void (first(answer['flocks_summary'])['name'] = nothing),
    stands: 'Other Flock',
  },
  'the health': {
    page: () => '/overview',
    asks: 'receivers/list',
    bend: (answer) => void (answer['receivers'] = [nothing] as unknown as Bent),
    stands: /^Incidents over time/,
  },
  'what was sent to a Bird': {
    page: ({ node_id }) => `/birds/${node_id}`,
    asks: 'bundles/list',
    bend: (answer) => void (answer['bundles'] = [nothing] as unknown as Bent),
    stands: '10.0.0.5',
  },
  'the card of a service': {
    page: ({ node_id }) => `/birds/${node_id}/services`,
    asks: 'settings/schema',
    bend: ({ schema = {} }) => void ((schema['ssh.port'] ?? {})['description'] = {}),
    stands: 'Redis',
  },
  'the timeline of an incident': {
    page: ({ incident }) => `/incidents/${incident}`,
    asks: 'incident/events',
    bend: (answer) => void (answer['events'] = [nothing] as unknown as Bent),
    stands: 'What it means',
  },
  'who was notified of an incident': {
    page: ({ incident }) => `/incidents/${incident}`,
    asks: 'deliveries/list',
    bend: (answer) => void (answer['deliveries'] = [nothing] as unknown as Bent),
    stands: 'What it means',
  },
  'the history of a token': {
    page: ({ decoytoken }) => `/tokens/${decoytoken}/history`,
    asks: 'decoytoken/history',
    bend: (answer) => void (answer['history'] = [nothing] as unknown as Bent),
    stands: 'Backup script on the file server',
  },
  'the plot of a source': {
    page: () => '/sources/192.0.2.7',
    asks: 'incidents/timeline',
    bend: (answer) => void (answer['columns'] = nothing),
    stands: /^Acknowledge \d/,
  },
  'the card of a receiver': {
    page: () => '/alerts/receivers',
    asks: 'receivers/list',
    bend: (answer) => void (first(answer['receivers'])['url_host'] = nothing),
    stands: /^collector\.example\.com|^alerts/,
  },
}

it('a part that throws says so in its place, the rest stands, and another try mends it', async (rig) => {
  const { page, rookery } = await openSignedIn(rig)
  await rookery.api.flocks.create({ name: 'Other Flock' })
  const seed = await plantAgain(rookery, {}, ['node_id', 'incident', 'decoytoken', 'webhook_id'])
  await rookery.api.tokens.selfTest({ decoytoken: seed.decoytoken ?? '' })
  const [row] = (await rookery.api.incidentViews.rows({})).rows.filter(({ key }) => key === seed.incident)
  const main = page.getByRole('main')
  for (const [name, { page: path, asks, bend, stands }] of Object.entries(PARTS)) {
    const pattern = `**/api/v1/${asks}*`
    await page.route(pattern, async (route) => {
      const response = await route.fetch()
      const answer = (await response.json()) as Record<string, Bent>
      bend(answer)
      await route.fulfill({ response, json: answer })
    })
    await page.goto(`${rookery.console.apiUrl}${path({ ...seed, ...(row && { incident: row.hash_id }) })}`)
    const problem = main.getByRole('alert').filter({ hasText: 'This part of the page failed.' })
    await problem
      .first()
      .waitFor()
      .catch((cause: unknown) => {
        throw new Error(`${name} does not say that it failed`, { cause })
      })
    await main.getByText(stands).first().waitFor()
    await main.getByRole('heading', { level: 1 }).waitFor()
    await page.unroute(pattern)
    // Several parts may show the same answer.
    for (let left = await problem.count(); left > 0; left--) {
      await problem.first().getByRole('button', { name: 'Try again' }).click()
      await expect.poll(() => problem.count()).toBeLessThan(left)
    }
  }
})
