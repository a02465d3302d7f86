import { describe, expect, it } from 'vitest'
import { raiseIncident, FLOCK, loopbackOutbound } from '../../../../test/raise-incident.ts'
import { openChatService } from '../../../../test/chat-service.ts'
import { readOnlyKey } from '../../../../test/read-only-key.ts'
import { engines, openTestConsole, type TestConsole } from '../../../../test/test-console.ts'
import { addChannel } from './channels.ts'

const path = '/flock/settings/webhooks'
const flock_id = FLOCK

const open = (engine: (typeof engines)[number]): Promise<TestConsole> =>
  openTestConsole({ engine, world: { outbound: loopbackOutbound() } })

describe.each(engines)('a channel of a chat service (%s)', (engine) => {
  it('shows an incident as blocks; who is no admin sees hosts; it goes by team and name', async () => {
    const rookery = await open(engine)
    const service = await openChatService()
    const { base } = rookery.console
    const record = (channel: string) => ({
      team: 'Blue team',
      channel,
      url: `${service.url}/services/${channel.slice(1)}/s3cr3t`,
      configuration_url: `${service.url}/configure/s3cr3t`,
    })
    for (const channel of ['#alerts', '#other'])
      await base.writer.write((tx) => addChannel(tx, base, flock_id, record(channel)))
    await raiseIncident(rookery, { fields: { NOTE: '<!channel> `*x*` & <https://evil.test|click>' } })
    const posts = await service.posted(2)
    expect(posts.map(({ path: at }) => at).sort()).toEqual([
      '/services/alerts/s3cr3t',
      '/services/other/s3cr3t',
    ])
    expect(JSON.stringify(posts[0])).toContain(
      '`NOTE` `&lt;!channel&gt; ˋ*x*ˋ &amp; &lt;https://evil.test|click&gt;`',
    )
    expect((await rookery.get(`${path}/chatops`, { flock_id })).json).toMatchObject({
      result: 'success',
      chatops_webhooks: [record('#alerts'), record('#other')],
      webhooks_enabled: true,
    })
    const seen = await rookery.get(`${path}/chatops`, { flock_id }, await readOnlyKey(rookery))
    expect(seen.text).not.toContain('s3cr3t')
    expect(seen.json).toMatchObject({
      chatops_webhooks: [{ team: 'Blue team', channel: '#alerts', url: new URL(service.url).host }, {}],
    })
    const gone = { flock_id, team: 'Blue team', channel: '#other' }
    expect((await rookery.post(`${path}/chatops/remove`, gone)).status).toBe(200)
    expect((await rookery.post(`${path}/chatops/remove`, gone)).status).toBe(404)
    expect((await rookery.api.flockWebhooks.info({ flock_id })).webhook_info).toMatchObject({
      chatops_webhooks: [record('#alerts')],
      legacychat_webhooks: [],
      teamchat: [],
    })
  })

  it('is named by a search, of each incident whose alert it has', async () => {
    const rookery = await open(engine)
    const service = await openChatService()
    const { base } = rookery.console
    const channels = async () =>
      (await rookery.api.incidentQueries.search()).incidents.map((found) => [
        found.chat_channel,
        found.chat_ts,
      ])
    await raiseIncident(rookery)
    expect(await channels()).toEqual([['', '']])
    const url = `${service.url}/services/x`
    const blue = { team: 'Blue team', channel: '#alerts', url, configuration_url: '' }
    await base.writer.write((tx) => addChannel(tx, base, flock_id, blue))
    await raiseIncident(rookery)
    await service.posted(1)
    await expect.poll(channels, { timeout: 150_000 }).toEqual([
      ['#alerts', ''],
      ['', ''],
    ])
  })

  it('is tested for real, and gives the service’s own reason', async () => {
    const rookery = await open(engine)
    const service = await openChatService()
    const one = { flock_id, url: `${service.url}/services/x` }
    expect((await rookery.post(`${path}/chatops/test`, one)).json).toMatchObject({ webhook: one.url })
    expect(service.posts[0]?.json['text']).toContain('Dummy Incident')
    service.answer(404, 'channel_not_found')
    expect((await rookery.post(`${path}/chatops/test`, one)).json['message']).toBe(
      'The test was not delivered: It answered 404: channel_not_found.',
    )
  })
})
