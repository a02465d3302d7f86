import { describe, expect, it } from 'vitest'
import { addReceiver, FLOCK, loopbackOutbound, raiseIncident } from '../../../test/raise-incident.ts'
import { flockKey } from '../../../test/read-only-key.ts'
import { openReceiver, refuse } from '../../../test/receiver.ts'
import { engines, openTestConsole } from '../../../test/test-console.ts'
import { switchReceiverOff } from '../../stores/webhooks/store.ts'

const TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\+0000$/

describe.each(engines)('the list of all receivers (%s)', (engine) => {
  async function open() {
    const rookery = await openTestConsole({ engine, world: { outbound: loopbackOutbound() } })
    const listed = async (flock_id: string) => {
      await rookery.console.alerts.idle()
      return rookery.api.receiverOverview.list({ flock_id })
    }
    const newFlock = async (name: string) => (await rookery.api.flocks.create({ name })).flock_id
    return { rookery, listed, newFlock }
  }

  it('says which work, since when others fail and what they answered, and what waits', async () => {
    const { rookery, listed } = await open()
    const [good, bad] = [await openReceiver(), await openReceiver(refuse(503))]
    const { webhook_id: goodId } = await addReceiver(rookery, good.url)
    const { webhook_id: badId } = await addReceiver(rookery, bad.url)
    await raiseIncident(rookery)
    await good.tries(1)
    await bad.tries(1)
    const { receivers, unreached } = await listed(FLOCK)
    const byId = new Map(receivers.map((it) => [it.webhook_id, it]))
    expect(byId.get(goodId)).toMatchObject({
      state: 'fine',
      takes: 'incidents',
      webhook_kind: 'generic',
      url_host: new URL(good.url).host,
      flock_id: FLOCK,
      since: '',
      reason: '',
      last_success: expect.stringMatching(TIME) as string,
      waiting: 0,
    })
    expect(byId.get(badId)).toMatchObject({
      state: 'failing',
      since: expect.stringMatching(TIME) as string,
      reason: 'It answered 503; success is 200 to 299.',
      last_success: '',
      waiting: 1,
    })
    expect(unreached).toEqual([])
  })

  it('names the Flocks whose incidents reach nobody: without a receiver, switched off, or silent', async () => {
    const { rookery, listed, newFlock } = await open()
    const flock_id = await newFlock('Berlin')
    const nobody = [{ flock_id, name: 'Berlin' }]
    expect((await listed(flock_id)).unreached).toEqual(nobody)
    const { webhook_id } = await addReceiver(rookery, (await openReceiver()).url, { flock_id })
    expect(await listed(flock_id)).toMatchObject({ receivers: [{ state: 'fine' }], unreached: [] })
    await rookery.api.flockWebhooks.disable({ flock_id })
    expect(await listed(flock_id)).toMatchObject({ receivers: [{ state: 'silent' }], unreached: nobody })
    await rookery.api.flockWebhooks.enable({ flock_id })
    await rookery.console.base.writer.write((tx) => switchReceiverOff(tx, webhook_id, 'It answered 410.'))
    expect(await listed(flock_id)).toMatchObject({
      receivers: [{ state: 'off', reason: 'It answered 410.' }],
      unreached: nobody,
    })
    expect((await rookery.api.receiverOverview.list()).unreached).toContainEqual(nobody[0])
  })

  it('shows nothing of Flocks that a key does not see', async () => {
    const { rookery, newFlock } = await open()
    const flock_id = await newFlock('Elsewhere')
    await addReceiver(rookery, (await openReceiver()).url, { flock_id })
    const own = await newFlock('Own')
    const { key } = await flockKey(rookery, own)
    const seen = await rookery.get('/receivers/list', {}, key)
    expect(seen.json).toMatchObject({ receivers: [], unreached: [{ name: 'Own' }] })
    expect((await rookery.get('/receivers/list', { flock_id }, key)).status).toBe(403)
  })
})
