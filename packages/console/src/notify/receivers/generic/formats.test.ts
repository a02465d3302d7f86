// Chats by their plain URL, as a user adds them: each service is played by a judge of its published rules.
import { describe, expect, it } from 'vitest'
import type { OutboundAnswer, OutboundRequest } from '@rookery/kernel/world.ts'
import { chatJudges, HOOK } from '../../../../test/chat-judges.ts'
import { manualClock } from '../../../../test/manual-clock.ts'
import { FLOCK, raiseIncident } from '../../../../test/raise-incident.ts'
import { engines, openTestConsole } from '../../../../test/test-console.ts'

const flock_id = FLOCK
const generic = '/flock/settings/webhooks/generic'

async function openYard(engine: (typeof engines)[number] = 'sqlite') {
  const clock = manualClock()
  const sent: { readonly name: string; readonly json: Record<string, unknown> }[] = []
  let answering: ((name: string) => Omit<OutboundAnswer, 'headers'> & Partial<OutboundAnswer>) | undefined
  const outbound = {
    send({ url: href, body = '' }: OutboundRequest): Promise<OutboundAnswer> {
      const url = new URL(href)
      const [name = '', service] =
        Object.entries(chatJudges).find(([, it]) => new URL(it.url).host === url.host) ?? []
      const json = JSON.parse(body) as Record<string, unknown>
      sent.push({ name, json })
      const answer = answering?.(name) ?? service?.judge({ url, json }) ?? { status: 200, body: '' }
      return Promise.resolve({ headers: {}, ...answer })
    },
  }
  const rookery = await openTestConsole({ engine, world: { clock, outbound }, alerting: { perMinute: 2 } })
  const idle = (): Promise<void> => rookery.console.dispatcher.idle()
  return {
    rookery,
    sent,
    add: (url: string, more: Record<string, string> = {}) =>
      rookery.post(`${generic}/add`, { flock_id, url, ...more }),
    test: (url: string) => rookery.post(`${generic}/test`, { flock_id, url }),
    answer: (next: typeof answering) => void (answering = next),
    raise: () => raiseIncident(rookery).then(idle),
    async pass(ms: number) {
      clock.advance(ms)
      await idle()
    },
    idle,
    deliveries: async () => (await rookery.api.deliveries.list({})).deliveries,
  }
}

describe.each(Object.entries(chatJudges))('alerts in the format %s', (name, service) => {
  it('are tested, sent, summed up, refused in the service’s words, and sent again', async () => {
    const { rookery, sent, add, test, answer, raise, pass, idle, deliveries } = await openYard()
    expect((await test(service.url)).status).toBe(200)
    expect((await add(service.url)).status).toBe(200)
    expect((await test(service.url)).json).toMatchObject({ result: 'success', webhook: service.url })
    expect(JSON.stringify(sent)).toContain('Dummy Incident')
    for (let i = 0; i < 5; i++) await raise()
    await pass(61_000)
    expect(JSON.stringify(sent.at(-1))).toContain('Digest of Incidents')
    expect((await deliveries()).map(({ state }) => state)).not.toContain('waiting')

    await pass(61_000)
    answer(() => service.refusal)
    await raise()
    const words = service.refusal.body.replace(/\s+/g, ' ').slice(0, 190)
    const [failed] = (await deliveries()).filter(({ state }) => state === 'waiting')
    expect(failed?.reason).toContain(words)
    expect(failed?.reason).toMatch(/answered (200|40\d)/)

    answer(undefined)
    const before = sent.length
    const { delivery_id } = failed ?? { delivery_id: '' }
    expect((await rookery.post('/delivery/replay', { delivery_id })).status).toBe(200)
    await idle()
    expect(sent.length).toBeGreaterThan(before)
    expect(sent.every((it) => it.name === name)).toBe(true)
  })

  it('wait as long as a 429 asks, and a while where it does not say', async () => {
    const { sent, add, answer, raise, pass } = await openYard()
    await add(service.url)
    answer(() => ({ status: 429, headers: { 'retry-after': '600' }, body: '' }))
    await raise()
    await pass(500_000)
    expect(sent).toHaveLength(1)
    answer(() => ({ status: 429, body: '' }))
    await pass(300_000)
    expect(sent).toHaveLength(2)
    answer(undefined)
    await pass(600_000)
    expect(sent).toHaveLength(3)
  })
})

describe.each(engines)('the format of a receiver (%s)', (engine) => {
  it('is listed as it is used, never as auto', async () => {
    const { rookery, add } = await openYard(engine)
    const expected: string[] = []
    for (const [name, { url }] of Object.entries(chatJudges)) {
      expect((await add(url)).status).toBe(200)
      expected.push(name)
    }
    await add('https://alerts.example.com/in')
    await add('https://push.example.com/base/our-alerts', { format: 'ntfy' })
    await add('https://tickets.example.com/in', { template: '{"text":"{{Intro}}"}' })
    const { generic_webhooks } = await rookery.api.flockWebhooks.listGeneric({ flock_id })
    expect(generic_webhooks.map(({ format }) => format)).toEqual([...expected, 'rookery', 'ntfy', 'template'])
  })

  it('that cannot be is refused with the reason', async () => {
    const { add } = await openYard(engine)
    const here = 'https://alerts.example.com/in'
    const wrong: [string, Record<string, string>, RegExp][] = [
      [
        'https://hooks.slack.com/services/T0/B0/x',
        { format: 'rookery' },
        /is of Slack.*must be slack, auto or template/,
      ],
      ['https://discord.com/api/webhooks/1/x', { format: 'slack' }, /is of Discord/],
      ['https://discord.com/api/webhooks/1/x/slack', {}, /ends in \/slack or \/github/],
      ['https://chat.googleapis.com/v1/spaces/A/messages?key=k', { format: 'rookery' }, /Google Chat/],
      [`https://chat.example.com/hooks/${HOOK}`, { format: 'rookery' }, /Mattermost/],
      ['https://acme.webhook.office.com/webhookb2/1', { format: 'rookery' }, /Teams/],
      ['https://ntfy.sh/', {}, /must end in the topic/],
      [here, { format: 'irc' }, /auto.*template/],
      [here, { format: 'template' }, /template.*is missing/],
      [here, { format: 'ntfy', template: '{}' }, /is not sent in the format ntfy/],
      [here, { template: '{"a":"{{Nope}}"}' }, /has \{\{Nope\}\}; a place is one of .*SourceIP/],
      [here, { template: '{"a":{{Intro}}' }, /must be JSON/],
      [here, { template: `"${'x'.repeat(16_384)}"` }, /at most 16384/],
    ]
    for (const [url, more, reason] of wrong) {
      const { status, json } = await add(url, more)
      const said = `${String(json['message'])} ${JSON.stringify(json['details'])}`
      expect([url, status, said]).toEqual([url, 400, expect.stringMatching(reason) as string])
    }
  })
})

it('a template is sent filled, also to a chat', async () => {
  const { sent, add, raise } = await openYard()
  const template = '{"content":"{{Description}}: {{SourceIP}}","allowed_mentions":{"parse":[]},"embeds":[]}'
  await add('https://discord.com/api/webhooks/1/secret?wait=true', { format: 'template', template })
  await raise()
  expect(sent[0]?.json['content']).toMatch(/^SSH Login Attempt: 10\.9\./)
})

it.each(Object.entries(chatJudges))(
  'in the format %s a password that was tried stands only where it is asked for',
  async (_name, service) => {
    const { rookery, sent, add, idle } = await openYard()
    const sentWith = async (more: Record<string, string>) => {
      expect((await add(service.url, more)).status).toBe(200)
      await raiseIncident(rookery, { fields: { USERNAME: 'deploy', PASSWORD: 'Winter-2026!' } })
      await idle()
      await rookery.post(`${generic}/remove`, { flock_id, url: service.url })
      return JSON.stringify(sent.at(-1))
    }
    const without = await sentWith({})
    expect(without).toContain('deploy')
    expect(without).not.toContain('Winter')
    expect(await sentWith({ tried_logins: 'true' })).toContain('Winter')
  },
)
