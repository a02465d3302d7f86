import { createServer } from 'node:http'
import { describe, expect, it } from 'vitest'
import type { Outbound, OutboundRequest } from '@rookery/kernel/world.ts'
import { listen } from '../../../test/listen.ts'
import { loopbackOutbound } from '../../../test/raise-incident.ts'
import { registeredBird } from '../../../test/birds.ts'
import { engines, openTestConsole, type TestConsole } from '../../../test/test-console.ts'
import { manualClock } from '../../../test/manual-clock.ts'
import { sshLogin } from '../../../test/touches.ts'

const MINUTES = 60_000
const env = {
  ROOKERY_ASSETINV_URL: 'https://assets.example.com/export',
  ROOKERY_ASSETINV_TOKEN: 'inventory-token-7',
}
const laptop = { addresses: ['192.0.2.7'], names: ['laptop-7', 'ann'], hw: ['T14'], os: 'Linux' }
const nas = { addresses: ['10.0.0.5'], names: ['nas-02'], hw: [], os: 'DSM' }

/** An inventory that answers as the test says, and remembers how it was asked. */
function inventory() {
  const asked: OutboundRequest[] = []
  const state = { status: 200, body: JSON.stringify([laptop, nas]), asked }
  const outbound: Outbound = {
    send(request) {
      asked.push(request)
      return Promise.resolve({ status: state.status, headers: {}, body: state.body })
    },
  }
  return { state, outbound }
}

const path = '/settings/integrations'
const isOn = async (rookery: TestConsole) => (await rookery.get(path)).json['integrations']
const switchTo = async (rookery: TestConsole, word: 'enable' | 'disable'): Promise<number> =>
  (await rookery.post(`${path}/assetinv/${word}`)).status

/** Everything that shows an incident or a Bird, and what it says of the asset. */
async function shown(rookery: TestConsole, node_id: string) {
  const [listed] = (await rookery.api.incidentQueries.all({ node_id })).incidents
  const [found] = (await rookery.api.incidentQueries.search({ node_id })).incidents
  const fetched = await rookery.api.incidentQueries.fetch({ incident: listed?.id ?? '' })
  const info = await rookery.api.birdQueries.info({ node_id })
  const asset = async (list: 'all' | 'filter') => (await rookery.api.birdQueries[list]()).devices[0]?.asset
  return {
    sources: [
      listed?.description.src_asset,
      found?.src_asset,
      fetched.incident.src_asset,
      info.device.unacknowleged_incidents[0]?.description.src_asset,
    ],
    birds: [info.device.asset, await asset('all'), await asset('filter')],
  }
}

const nothing = { sources: Array(4).fill(undefined), birds: Array(3).fill(undefined) }
const everything = { sources: Array(4).fill(laptop), birds: Array(3).fill(nas) }

async function touched(rookery: TestConsole): Promise<string> {
  const node_id = await registeredBird(rookery, { ip_address: '10.0.0.5' })
  await rookery.console.ingest.fromConsole(sshLogin({ nodeId: node_id, srcHost: '192.0.2.7' }))
  return node_id
}

describe.each(engines)('the asset inventory (%s)', (engine) => {
  it('that nobody configured cannot be switched on, and says what is missing', async () => {
    const rookery = await openTestConsole({ engine })
    expect(await isOn(rookery)).toEqual({ assetinv: false })
    const refused = await rookery.post(`${path}/assetinv/enable`)
    expect([refused.status, refused.json['message']]).toEqual([
      409,
      expect.stringContaining('ROOKERY_ASSETINV_URL'),
    ])
    expect(await switchTo(rookery, 'disable')).toBe(200)
  })

  it('shows sources and Birds while it is on, and nothing when it is off', async () => {
    const { state, outbound } = inventory()
    const rookery = await openTestConsole({ engine, env, world: { outbound } })
    const node_id = await touched(rookery)
    expect(await shown(rookery, node_id)).toEqual(nothing)
    expect(state.asked).toEqual([])

    expect(await switchTo(rookery, 'enable')).toBe(200)
    expect(await isOn(rookery)).toEqual({ assetinv: true })
    await expect.poll(() => shown(rookery, node_id)).toEqual(everything)
    expect(state.asked[0]).toMatchObject({
      method: 'GET',
      url: env.ROOKERY_ASSETINV_URL,
      headers: { authorization: `Bearer ${env.ROOKERY_ASSETINV_TOKEN}` },
    })
    await rookery.restart()
    expect(await isOn(rookery)).toEqual({ assetinv: true })
    await expect.poll(() => shown(rookery, node_id)).toEqual(everything)

    expect(await switchTo(rookery, 'disable')).toBe(200)
    expect(await shown(rookery, node_id)).toEqual(nothing)
  })

  it('is asked again every five minutes; one that fails leaves the last good copy, and the settings say why', async () => {
    const { state, outbound } = inventory()
    const clock = manualClock()
    const rookery = await openTestConsole({ engine, env, world: { outbound, clock } })
    const node_id = await touched(rookery)
    await switchTo(rookery, 'enable')
    await expect.poll(() => shown(rookery, node_id)).toEqual(everything)
    const problem = async (): Promise<string> => {
      const { settings } = await rookery.api.consoleSettings.read()
      return settings.integrations.assetinv.problem
    }
    expect(await problem()).toBe('')

    for (const [wrong, says] of [
      [{ status: 503 }, 'answered 503'],
      [{ body: '<html>' }, 'not JSON'],
      [{ body: ' '.repeat(8 * 1024 * 1024 + 1) }, 'larger than'],
    ] as const) {
      Object.assign(state, { status: 200 }, wrong)
      clock.advance(5 * MINUTES)
      await expect.poll(problem).toContain(says)
      expect(await shown(rookery, node_id)).toEqual(everything)
    }
    await rookery.restart()
    await expect.poll(problem).toContain('larger than')
    expect(await shown(rookery, node_id)).toEqual(everything)

    state.body = JSON.stringify([nas])
    clock.advance(5 * MINUTES)
    await expect.poll(problem).toBe('')
    expect(await shown(rookery, node_id)).toEqual({ ...everything, sources: nothing.sources })
  })
})

it('the export of a real server is read whole, though it is longer than other answers', async () => {
  const many = Array.from({ length: 2_000 }, (_, n) => ({ addresses: [`10.1.${n >> 8}.${n & 255}`] }))
  const server = createServer((_request, response) => response.end(JSON.stringify([...many, laptop])))
  const url = `http://127.0.0.1:${await listen(server)}/`
  const rookery = await openTestConsole({
    env: { ROOKERY_ASSETINV_URL: url },
    world: { outbound: loopbackOutbound() },
  })
  const node_id = await touched(rookery)
  await switchTo(rookery, 'enable')
  await expect.poll(async () => (await shown(rookery, node_id)).sources[0]).toEqual(laptop)
})
