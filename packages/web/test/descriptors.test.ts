// A descriptor is all that the page needs: a kind of token, a service and a setting that are added to the console alone have their
// forms, and what is typed there reaches the console. A kind of receiver: alerts.test.ts.
import { expect, onTestFinished, vi } from 'vitest'
import { inBrowser, signUp, type Rig } from './rig.ts'

interface Registry {
  readonly descriptors: readonly {
    readonly kind: string
    readonly service: string
    readonly settings: object
  }[]
  readonly kinds: Readonly<Record<string, { readonly descriptor: object }>>
}

const DOOR_BELL = {
  kind: 'door-bell',
  name: 'Door bell',
  shelf: 'Doors',
  keywords: ['ring'],
  settings: { tone: { type: 'text', description: 'What the bell plays', default: 'ding' } },
}
const GOPHER = {
  service: 'gopher',
  title: 'Gopher',
  logtypes: [],
  settings: {
    'gopher.enabled': { type: 'boolean', default: false, title: 'Gopher answers' },
    'gopher.port': { type: 'port', default: 70, title: 'Port of Gopher' },
    'gopher.menu': { type: 'text', default: 'Library', title: 'Menu of Gopher' },
  },
}
const MOTTO = { 'redis.motto': { type: 'text', default: 'nevermore', title: 'Motto of Redis' } }
const KINDS = '@rookery/tokens/descriptors.gen.ts'
const PARTS = '@rookery/tokens/kinds.gen.ts'
const SERVICES = '@rookery/decoys/descriptors.gen.ts'

const it = inBrowser()

/** A console of modules of its own, somebody who is signed in, and the Bird `nas-02`: consoles of other tests know no door bell. */
async function openWithMore(rig: Rig) {
  vi.resetModules()
  onTestFinished(() => {
    for (const path of [KINDS, PARTS, SERVICES]) vi.doUnmock(path)
    vi.resetModules()
  })
  vi.doMock(KINDS, async (load) => {
    const { descriptors } = await load<Registry>()
    const http = descriptors.find(({ kind }) => kind === 'http')
    return { descriptors: [...descriptors, { ...http, ...DOOR_BELL }] }
  })
  vi.doMock(PARTS, async (load) => {
    const { kinds } = await load<Registry>()
    const bell = { ...kinds['http'], descriptor: { ...kinds['http']?.descriptor, ...DOOR_BELL } }
    return { kinds: Object.assign(Object.create(null) as object, kinds, { [DOOR_BELL.kind]: bell }) }
  })
  vi.doMock(SERVICES, async (load) => {
    const { descriptors } = await load<Registry>()
    const all = descriptors.map((it) =>
      it.service === 'redis' ? { ...it, settings: { ...it.settings, ...MOTTO } } : it,
    )
    return { descriptors: [...all, { ...all.find(({ service }) => service === 'redis'), ...GOPHER }] }
  })
  const { openTestConsole } = await import('@rookery/console/test/test-console.ts')
  const { registeredBird } = await import('@rookery/console/test/birds.ts')
  const rookery = await openTestConsole()
  const node_id = await registeredBird(rookery, { name: 'nas-02' })
  const tab = await rig.open()
  await signUp(tab.page, rookery)
  return { ...tab, rookery, node_id }
}

it('a kind of token that is new to the page stands in the gallery, and its form plants it', async (rig) => {
  const { page, rookery, complaints } = await openWithMore(rig)
  await page.goto(`${rookery.console.apiUrl}/tokens/new`)
  await page.getByRole('heading', { name: 'Doors' }).waitFor()
  await page.getByRole('main').getByRole('searchbox').fill('ring')
  await page.getByRole('link', { name: /Door bell/ }).click()
  await page.getByLabel('Memo').fill('At the back door')
  await page.getByLabel('Tone').fill('dong')
  const sent = page.waitForRequest((request) => request.url().endsWith('/decoytoken/create'))
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  expect(new URLSearchParams((await sent).postData() ?? '').get('tone')).toBe('dong')
  await page.getByRole('heading', { name: 'Where to put it' }).waitFor()
  const { tokens } = await rookery.api.tokens.search({})
  expect(tokens).toMatchObject([{ kind: 'door-bell', memo: 'At the back door' }])
  expect(complaints).toEqual([])
})

it('a service and a setting that are new to the page have a card and a field, and are applied', async (rig) => {
  const { page, rookery, node_id, complaints } = await openWithMore(rig)
  await page.goto(`${rookery.console.apiUrl}/birds/${node_id}/services`)
  const gopher = page.getByRole('group', { name: 'Gopher' })
  await gopher.getByRole('switch', { name: 'Gopher answers' }).check()
  await gopher.locator('summary').click()
  await gopher.getByLabel('Menu of Gopher').fill('Harbour')
  const redis = page.getByRole('group', { name: 'Redis' })
  if (!(await redis.getByLabel('Motto of Redis').isVisible())) await redis.locator('summary').click()
  await redis.getByLabel('Motto of Redis').fill('evermore')
  await page.getByRole('button', { name: 'Review' }).click()
  await page.getByRole('button', { name: 'Apply' }).click()
  const settings = async () =>
    (await rookery.api.birdQueries.info({ node_id, settings: true })).device.settings
  await expect
    .poll(settings)
    .toMatchObject({ 'gopher.enabled': true, 'gopher.menu': 'Harbour', 'redis.motto': 'evermore' })
  expect(complaints).toEqual([])
})
