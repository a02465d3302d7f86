// Services that take alerts, as a user adds them: each is played by a judge of its published rules.
import { describe, expect, it } from 'vitest'
import type { OutboundAnswer, OutboundRequest } from '@rookery/kernel/world.ts'
import { hostileMessages } from '../../../test/hostile-messages.ts'
import { HOSTILE } from '../../../test/hostile.ts'
import { FLOCK } from '../../../test/raise-incident.ts'
import { serviceJudges } from '../../../test/service-judges.ts'
import { openYard } from '../../../test/receiver-yard.ts'
import { engines, type TestConsole } from '../../../test/test-console.ts'
import { receiverKinds } from '../receivers.gen.ts'
import type { SenderDeps } from '../senders/sender.ts'

const flock_id = FLOCK

const kinds = Object.keys(serviceJudges)

describe.each(kinds)('alerts to %s', (kind) => {
  it('are tested, sent, summed up, refused in the service’s words, and sent again', async () => {
    const yard = await openYard(kind)
    const { rookery, service, sent, said, add, answer, raise, pass, idle, deliveries, path } = yard
    const tested = await rookery.post(`${path}/test`, { flock_id, ...service.given })
    expect([tested.status, tested.json]).toEqual([200, { result: 'success' }])
    const { webhook_id = '' } = (await add()).json as { webhook_id?: string }
    expect((await rookery.post(`${path}/test`, { flock_id, webhook_id })).status).toBe(200)
    expect(said().join('\n')).toContain('Dummy Incident')
    for (let i = 0; i < 5; i++) await raise()
    await pass(61_000)
    expect(said().join('\n')).toContain('SSH Login Attempt')
    if (service.hasDigest) expect(said().at(-1)).toContain('3 more incidents')
    expect(said().join('\n')).not.toContain('toor')
    expect((await deliveries()).map(({ state }) => state)).not.toContain('waiting')

    await pass(61_000)
    answer(() => service.refusal)
    await raise()
    const [failed] = (await deliveries()).filter(({ state }) => state === 'waiting')
    expect(failed?.reason).toContain(service.words)
    for (const secret of Object.entries(service.given))
      if (/key|token|secret|password/.test(secret[0])) expect(failed?.reason).not.toContain(secret[1])

    answer(undefined)
    const before = sent.length
    const { delivery_id } = failed ?? { delivery_id: '' }
    expect((await rookery.post('/delivery/replay', { delivery_id })).status).toBe(200)
    await idle()
    expect(sent.length).toBeGreaterThan(before)
    expect(said().slice(before).join('\n')).toContain('SSH Login Attempt')
  })

  it('wait as long as a 429 asks, and a while where it does not say', async () => {
    const { sent, add, answer, raise, pass, deliveries } = await openYard(kind)
    await add()
    answer(() => ({ status: 429, headers: { 'retry-after': '600' }, body: '' }))
    await raise()
    const first = sent.length
    await pass(500_000)
    expect(sent).toHaveLength(first)
    expect((await deliveries())[0]?.reason).toMatch(/429/)
    answer(undefined)
    await pass(300_000)
    expect((await deliveries())[0]?.state).toBe('delivered')
  })

  it('whatever an intruder writes, are taken', async () => {
    const { service, rookery } = await openYard(kind)
    const refused: string[] = []
    let judge = service.open()
    const outbound = {
      send(request: OutboundRequest): Promise<OutboundAnswer> {
        const verdict = judge(request)
        if (verdict.status >= 300) refused.push(`${verdict.status} ${verdict.body}`)
        return Promise.resolve({ headers: {}, ...verdict })
      },
    }
    const { world } = rookery.console.base
    const send = receiverKinds[kind]?.openSender({
      ...rookery.console.base,
      world: { ...world, outbound },
      timeoutMs: 1_000,
    } as unknown as SenderDeps)
    const target = await targetOf(rookery, kind, service.given)
    for (const text of [...HOSTILE, 'x'.repeat(100_000), '\u{1f426}'.repeat(20_000)])
      for (const message of hostileMessages(text, 'https://rookery.example.com/')) {
        judge = service.open()
        expect((await send?.(target, message, 'msg_1'))?.reason).toBe('')
      }
    expect(refused).toEqual([])
  })
})

async function targetOf(rookery: TestConsole, kind: string, given: object) {
  const { openReceiver } = await import('../receiver.ts')
  await rookery.post(`/flock/settings/webhooks/${kind}/add`, { flock_id, ...given })
  const { reader, vault } = rookery.console.base
  const row = await reader
    .selectFrom('webhook')
    .selectAll()
    .where('kind', '=', kind)
    .executeTakeFirstOrThrow()
  return openReceiver(vault, row)
}

interface Action {
  readonly create: { readonly _id: string }
}

describe('Elasticsearch', () => {
  it.each([
    [409, 'version_conflict_engine_exception', 'delivered', ''],
    [400, 'document_parsing_exception', 'waiting', 'It answered 400: document_parsing_exception: no.'],
    [
      403,
      'security_exception',
      'waiting',
      /^It answered 403: .*; give the key create_doc on the data stream\.$/,
    ],
  ])('answers 200, and %i (%s) for the document: %s', async (status, type, state, reason) => {
    const { add, answer, raise, deliveries } = await openYard('elastic')
    await add()
    const item = { status, error: { type, reason: 'no' } }
    answer(() => ({ status: 200, body: JSON.stringify({ errors: true, items: [{ create: item }] }) }))
    await raise()
    const [delivery] = await deliveries()
    expect(delivery?.state).toBe(state)
    if (typeof reason === 'string') expect(delivery?.reason).toBe(reason)
    else expect(delivery?.reason).toMatch(reason)
  })

  it('gets the same id again when a message is sent again, and an answer of another server is none', async () => {
    const { rookery, add, answer, raise, deliveries, said, idle } = await openYard('elastic')
    await add()
    answer(() => ({ status: 200, body: '<html>Welcome</html>' }))
    await raise()
    const [failed] = await deliveries()
    expect(failed?.reason).toMatch(/no bulk API at this address; check the url/)
    answer(undefined)
    await rookery.post('/delivery/replay', { delivery_id: failed?.delivery_id ?? '' })
    await idle()
    const ids = said().map((text) => (JSON.parse(text.split('\n')[0] ?? '') as Action).create._id)
    expect(ids[0]).toMatch(/^[0-9a-f]{32}-1$/)
    expect(new Set(ids).size).toBe(1)
  })
})

describe('Sentinel', () => {
  it('is asked for a token once an hour, and again after it refused one', async () => {
    const { sent, add, answer, raise, pass, deliveries } = await openYard('sentinel')
    await add()
    const asked = () => sent.filter(({ url }) => url.includes('/oauth2/')).length
    await raise()
    await raise()
    expect(asked()).toBe(1)
    await pass(3_600_000)
    await raise()
    expect(asked()).toBe(2)
    answer(({ url }) => (url.includes('/oauth2/') ? undefined : { status: 401, body: '' }))
    await raise()
    answer(undefined)
    await pass(10_000)
    expect(asked()).toBe(3)
    expect((await deliveries())[0]?.state).toBe('delivered')
  })

  it('says of a secret that has ended what to check, and not the secret', async () => {
    const { rookery, service, path } = await openYard('sentinel')
    const wrong = await rookery.post(`${path}/test`, {
      flock_id,
      ...service.given,
      client_secret: 'ended~secret',
    })
    expect(wrong.status).toBe(400)
    expect(wrong.text).toMatch(/AADSTS7000215: Invalid client secret provided\..*; check tenant, client_id/)
    expect(wrong.text).not.toContain('ended~secret')
  })
})

describe('Telegram', () => {
  it('is left alone as long as it asks in the body, and says where a group went', async () => {
    const { sent, add, answer, raise, pass, deliveries } = await openYard('telegram')
    await add()
    const said = (status: number, parameters: object) => ({
      status,
      body: JSON.stringify({ ok: false, description: 'Bad Request: no', parameters }),
    })
    answer(() => said(429, { retry_after: 600 }))
    await raise()
    await pass(500_000)
    expect(sent).toHaveLength(1)
    answer(() => said(400, { migrate_to_chat_id: -100777 }))
    await pass(300_000)
    expect((await deliveries())[0]?.reason).toMatch(/add it again with the chat -100777/)
  })
})

describe('Matrix', () => {
  it('gets the same transaction when a try is repeated, so that no event is there twice', async () => {
    const { sent, add, answer, raise, pass, deliveries } = await openYard('matrix')
    await add()
    answer(() => ({ status: 502, body: '' }))
    await raise()
    answer(() => ({ status: 429, body: '{"errcode":"M_LIMIT_EXCEEDED","retry_after_ms":600000}' }))
    await pass(10_000)
    const tries = sent.length
    await pass(400_000)
    expect(sent).toHaveLength(tries)
    answer(undefined)
    await pass(400_000)
    expect((await deliveries())[0]).toMatchObject({ state: 'delivered', reason: '' })
    expect(new Set(sent.map(({ url }) => url)).size).toBe(1)
  })
})

describe.each(engines)('services of a Flock (%s)', (engine) => {
  it.each(kinds)('%s: added, listed without its secrets, and removed', async (kind) => {
    const { rookery, service, add, path } = await openYard(kind, engine)
    const added = await add({ levels: 'used' })
    expect(added.status).toBe(200)
    const list = await rookery.get(`${path}/list`, { flock_id })
    expect(list.json[kind]).toMatchObject([{ webhook_id: added.json['webhook_id'], levels: 'used' }])
    const rows = JSON.stringify(await rookery.console.base.reader.selectFrom('webhook').selectAll().execute())
    for (const [name, value] of Object.entries(service.given)) {
      if (!/key|token|secret|password/.test(name)) continue
      expect(list.text).not.toContain(value)
      expect(rows).not.toContain(value)
    }
    const webhook_id = String(added.json['webhook_id'])
    expect((await rookery.post(`${path}/remove`, { flock_id, webhook_id })).status).toBe(200)
    expect((await rookery.get(`${path}/list`, { flock_id })).json[kind]).toEqual([])
    expect((await rookery.post(`${path}/test`, { flock_id, webhook_id })).status).toBe(404)
  })

  it('PagerDuty follows: acknowledging acknowledges, deleting resolves, behind the alert, and only there', async () => {
    const { rookery, add, raise, said, idle, pass } = await openYard('pagerduty', engine)
    await add()
    await rookery.post('/flock/settings/webhooks/generic/add', { flock_id, url: 'https://generic.test/in' })
    const events = () =>
      said()
        .map((text) => JSON.parse(text) as { event_action?: string; dedup_key?: string })
        .filter((it) => it.event_action !== undefined)
    await raise()
    const { json } = await rookery.get('/incidents/unacknowledged')
    const [incident] = json['incidents'] as unknown as { id: string; hash_id: string }[]
    await rookery.post('/incident/acknowledge', { incident: incident?.id ?? '' })
    await idle()
    await rookery.post('/incident/acknowledge', { incident: incident?.id ?? '' })
    const removed = await rookery.post('/incidents/delete', { flock_id })
    expect(removed.status).toBe(200)
    await pass(61_000)
    expect(events().map(({ event_action, dedup_key }) => [event_action, dedup_key])).toEqual([
      ['trigger', incident?.hash_id],
      ['acknowledge', incident?.hash_id],
      ['resolve', incident?.hash_id],
    ])
    expect((await rookery.api.deliveries.list({})).deliveries.map((it) => it.subject)).toEqual([
      'deleted',
      'acknowledged',
      'incident',
      'incident',
    ])
  })

  it('what cannot be is refused, by the parameter', async () => {
    const wrong: [string, object, string, RegExp][] = [
      ['pagerduty', { routing_key: 'short' }, 'routing_key', /32 letters and digits/],
      ['elastic', { url: 'ftp://elastic.example.com' }, 'url', /http:\/\/ or https/],
      ['elastic', { url: 'https://elastic.example.com/?a=b' }, 'url', /no query/],
      ['elastic', { data_stream: 'Logs' }, 'data_stream', /lower case/],
      ['elastic', { data_stream: 'logs/../_all' }, 'data_stream', /without/],
      ['elastic', { api_key: 'a\nb' }, 'api_key', /visible ASCII/],
      ['sentinel', { endpoint: 'http://a.ingest.monitor.azure.com' }, 'endpoint', /https/],
      ['sentinel', { endpoint: 'rookery' }, 'endpoint', /must be a URL/],
      ['sentinel', { rule_id: 'rookery-rule' }, 'rule_id', /immutable id/],
      ['sentinel', { stream: 'Rookery_CL' }, 'stream', /Custom-/],
      ['sentinel', { tenant: 'a/b' }, 'tenant', /id of the tenant/],
      ['sentinel', { client_secret: 'a\nb' }, 'client_secret', /value of the secret/],
      ['telegram', { token: 'a/../b' }, 'token', /token of a bot/],
      ['matrix', { room: '#alerts:example.com' }, 'room', /begins with !/],
      ['matrix', { url: 'https://matrix.example.com/?a=b' }, 'url', /no query/],
      ['matrix', { token: 'a\nb' }, 'token', /visible ASCII/],
      ['jira', { url: 'https://example.atlassian.net/jira' }, 'url', /without a path/],
      ['jira', { project: 'A" OR "B' }, 'project', /letters, digits and _/],
      ['jira', { email: 'alerts' }, 'email', /e-mail address/],
      ['servicenow', { url: 'https://a.service-now.com/x' }, 'url', /without a path/],
      ['servicenow', { user: 'a:b' }, 'user', /without a colon/],
      ['telegram', { chat: 'https://t.me/a' }, 'chat', /number of a chat/],
    ]
    const { rookery } = await openYard('pagerduty', engine)
    for (const [kind, more, name, reason] of wrong) {
      const given = { flock_id, ...serviceJudges[kind]?.given, ...more }
      const { status, json } = await rookery.post(`/flock/settings/webhooks/${kind}/add`, given)
      expect([more, status, String((json['details'] as unknown as Record<string, string>)[name])]).toEqual([
        ...[more, 400],
        expect.stringMatching(reason) as string,
      ])
    }
  })
})
