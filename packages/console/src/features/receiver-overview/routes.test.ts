import { describe, expect, it } from 'vitest'
import { addReceiver, FLOCK, loopbackOutbound, raiseIncident } from '../../../test/raise-incident.ts'
import { flockKey } from '../../../test/read-only-key.ts'
import { accept, openReceiver, refuse } from '../../../test/receiver.ts'
import { engines, openTestConsole } from '../../../test/test-console.ts'
import { switchReceiverOff } from '../../stores/webhooks/store.ts'

const TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\+0000$/

describe.each(engines)('the list of all receivers (%s)', (engine) => {
  async function open() {
    const rookery = await openTestConsole({ engine, world: { outbound: loopbackOutbound() } })
    const listed = async (flock_id: string) => {
      await rookery.console.dispatcher.idle()
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

  it('are tested, switched on again and removed by their id, whatever their kind', async () => {
    const { rookery, listed } = await open()
    const { receiverOverview: overview } = rookery.api
    const receiver = await openReceiver(refuse(410))
    const { webhook_id } = await addReceiver(rookery, receiver.url)
    const test = () => rookery.post('/receiver/test', { webhook_id })
    expect((await test()).json['message']).toBe(
      'The test was not delivered: It answered 410; success is 200 to 299.',
    )
    await raiseIncident(rookery)
    expect((await listed(FLOCK)).receivers).toMatchObject([{ state: 'off' }])
    receiver.behave(accept)
    expect((await test()).status).toBe(200)
    await overview.enable({ flock_id: FLOCK, webhook_id })
    await overview.enable({ flock_id: FLOCK, webhook_id })
    expect((await listed(FLOCK)).receivers).toMatchObject([{ state: 'fine', reason: '' }])
    await raiseIncident(rookery)
    await receiver.tries(4)
    await overview.remove({ flock_id: FLOCK, webhook_id })
    expect((await listed(FLOCK)).receivers).toEqual([])
    const elsewhere = (await rookery.api.flocks.create({ name: 'Elsewhere' })).flock_id
    const { webhook_id: other } = await addReceiver(rookery, receiver.url)
    const { key } = await flockKey(rookery, elsewhere, 'admin')
    for (const [path, params] of [
      ['test', { webhook_id: other }],
      ['remove', { webhook_id: other, flock_id: elsewhere }],
      ['enable', { webhook_id: other, flock_id: elsewhere }],
    ] as const)
      expect([path, (await rookery.post(`/receiver/${path}`, params, key)).status]).toEqual([path, 404])
  })

  it('say of each kind how one is added and tested, with the fields of its operations', async () => {
    const { rookery } = await open()
    const { kinds } = await rookery.api.receiverOverview.kinds()
    const byKind = new Map(kinds.map((it) => [it.kind, it]))
    expect([...byKind.keys()].sort()).toEqual([
      'chatops',
      'elastic',
      'email',
      'generic',
      'jira',
      'matrix',
      'mqtt',
      'pagerduty',
      'sentinel',
      'servicenow',
      'siem',
      'sms',
      'summary',
      'syslog',
      'teamchat',
      'telegram',
    ])
    const fields = (form: { fields: readonly { name: string }[] } | null | undefined) =>
      form?.fields.map(({ name }) => name).filter((it) => it !== 'levels' && it !== 'quiet_hours')
    expect(byKind.get('generic')).toMatchObject({
      lacks: '',
      add: { path: '/flock/settings/webhooks/generic/add' },
      authorise: null,
      list: null,
    })
    expect(byKind.get('generic')?.add?.fields).toMatchObject([
      { name: 'url', type: 'text', is_required: true, is_secret: false, max_length: 2048 },
      { name: 'headers', type: 'map', is_required: false, is_secret: true },
      {
        name: 'format',
        type: 'choice',
        default: 'auto',
        choices: expect.arrayContaining(['ntfy']) as string[],
      },
      { name: 'template', type: 'lines' },
      { name: 'tried_logins', type: 'switch', default: 'false' },
      { name: 'levels', type: 'text', is_required: false },
      { name: 'quiet_hours', type: 'text', is_required: false },
    ])
    // What is filled in to add one is enough to test it beforehand.
    for (const { kind, add, test } of kinds)
      expect([kind, fields(test)]).toEqual([kind, fields(add) ?? ['url']])
    expect(byKind.get('chatops')).toMatchObject({
      add: null,
      authorise: { path: '/flock/settings/webhooks/chatops/authorise' },
      lacks: expect.stringContaining('ROOKERY_CHATOPS_CLIENT_ID') as string,
    })
    expect(byKind.get('sms')).toMatchObject({
      lacks: expect.stringContaining('ROOKERY_SMS_URL') as string,
      list: { name: 'sms', parameter: 'numbers' },
      add_everywhere: { path: '/settings/notifications/sms' },
    })
  })
})
