import { describe, expect, it } from 'vitest'
import { raiseIncident, FLOCK, loopbackOutbound } from '../../../../test/raise-incident.ts'
import { readOnlyKey } from '../../../../test/read-only-key.ts'
import { engines, openTestConsole, type TestConsole } from '../../../../test/test-console.ts'
import { openReceiver, refuse } from '../../../../test/receiver.ts'

const path = '/flock/settings/webhooks'
const flock_id = FLOCK

const open = (engine: (typeof engines)[number]): Promise<TestConsole> =>
  openTestConsole({ engine, world: { outbound: loopbackOutbound() } })

describe.each(engines)('a team chat (%s)', (engine) => {
  it('shows an incident as an Adaptive Card', async () => {
    const rookery = await open(engine)
    const chat = await openReceiver()
    expect((await rookery.post(`${path}/teamchat/add`, { flock_id, url: chat.url })).json).toEqual({
      result: 'success',
    })
    const source = await raiseIncident(rookery, {
      fields: { NOTE: '**[click](https://evil.test)** <at>all</at>' },
    })
    const [alert] = await chat.tries(1)
    const hash = (await rookery.api.incidentViews.rows({ source })).rows[0]?.hash_id
    expect(alert?.headers['webhook-signature']).toBeUndefined()
    expect(alert?.json).toMatchObject({
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          content: {
            type: 'AdaptiveCard',
            version: '1.4',
            actions: [
              {
                type: 'Action.OpenUrl',
                title: 'Open the incident',
                url: `${rookery.console.apiUrl}/incidents/${hash}`,
              },
            ],
          },
        },
      ],
    })
    expect(alert?.text).toContain(`"text":"${source}"`)
    expect(alert?.text).not.toContain('"TextBlock"')
  })

  it('is added once, listed, tested for real and removed', async () => {
    const rookery = await open(engine)
    const chat = await openReceiver()
    const one = { flock_id, url: chat.url }
    expect((await rookery.post(`${path}/teamchat/test`, one)).json).toMatchObject({ webhook: chat.url })
    expect(chat.alerts[0]?.text).toContain('Dummy Incident')
    await rookery.post(`${path}/teamchat/add`, one)
    expect((await rookery.post(`${path}/teamchat/add`, one)).status).toBe(409)
    const key = await readOnlyKey(rookery)
    expect((await rookery.get(`${path}/teamchat`, { flock_id })).json).toMatchObject({
      teamchat_webhooks: [chat.url],
      webhooks_enabled: true,
    })
    expect((await rookery.get(`${path}/teamchat`, { flock_id }, key)).json).toMatchObject({
      teamchat_webhooks: [new URL(chat.url).host],
    })
    // It is no generic receiver.
    expect((await rookery.get(`${path}/generic`, { flock_id })).json).toMatchObject({ generic_webhooks: [] })
    expect((await rookery.post(`${path}/generic/remove`, one)).status).toBe(404)
    chat.behave(refuse(400))
    const { status, json } = await rookery.post(`${path}/teamchat/test`, one)
    expect([status, json['message']]).toEqual([
      400,
      'The test was not delivered: It answered 400; success is 200 to 299.',
    ])
    expect((await rookery.post(`${path}/teamchat/remove`, one)).status).toBe(200)
    expect((await rookery.post(`${path}/teamchat/remove`, one)).status).toBe(404)
  })

  it('whose channel refuses has failed, though its server answers 200', async () => {
    const rookery = await open(engine)
    const chat = await openReceiver((_alert, response) => {
      response.end(
        'Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error 429 with ContextId x',
      )
    })
    expect((await rookery.post(`${path}/teamchat/test`, { flock_id, url: chat.url })).json['message']).toBe(
      'The test was not delivered: Its channel answered 429. It said: Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error 429 with ContextId x',
    )
  })

  it('that refuses the whole message gets it without the intruder’s words', async () => {
    const rookery = await open(engine)
    const chat = await openReceiver((alert, response) => {
      response.writeHead(alert.text.includes('unwanted') ? 400 : 200).end()
    })
    await rookery.post(`${path}/teamchat/add`, { flock_id, url: chat.url })
    await raiseIncident(rookery, { fields: { NOTE: 'unwanted' } })
    await rookery.console.dispatcher.idle()
    await raiseIncident(rookery)
    await rookery.console.dispatcher.idle()
    for (let i = 0; i < 3; i++) {
      await rookery.post(`${path}/teamchat/test`, { flock_id, url: chat.url })
      await rookery.console.dispatcher.idle()
    }
    const last = chat.alerts.filter(({ text }) => text.includes('refused the whole alert'))
    expect(last).toHaveLength(1)
    expect(last[0]?.text).not.toContain('bird-1')
  })
})
