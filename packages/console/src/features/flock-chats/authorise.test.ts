import { describe, expect, it } from 'vitest'
import { raiseIncident, FLOCK, loopbackOutbound } from '../../../test/raise-incident.ts'
import { CLIENT, openChatService, type ChatService } from '../../../test/chat-service.ts'
import { ADMIN, engines, openTestConsole, type TestConsole } from '../../../test/test-console.ts'
import { addPerson, ANN, askAs, signIn } from '../../../test/person.ts'
import { systemClock } from '../../world/system.ts'

interface Desk {
  readonly rookery: TestConsole
  readonly service: ChatService
  /** Time goes by. */
  pass(ms: number): void
}

async function openDesk(engine: (typeof engines)[number], env: Record<string, string> = {}): Promise<Desk> {
  const service = await openChatService()
  let ahead = 0
  const rookery = await openTestConsole({
    engine,
    world: {
      outbound: loopbackOutbound(),
      clock: { ...systemClock, now: () => systemClock.now() + ahead },
    },
    env: {
      ROOKERY_CHATOPS_URL: `${service.url}/`,
      ROOKERY_CHATOPS_CLIENT_ID: CLIENT.id,
      ROOKERY_CHATOPS_CLIENT_SECRET: CLIENT.secret,
      ...env,
    },
  })
  return { rookery, service, pass: (ms) => void (ahead += ms) }
}

const start = (
  rookery: TestConsole,
  flockId = FLOCK,
  headers: Record<string, string> = { 'X-Auth-Token': ADMIN },
) =>
  fetch(`${rookery.console.apiUrl}/api/v1/flock/settings/webhooks/chatops/authorise`, {
    method: 'POST',
    headers,
    body: new URLSearchParams({ flock_id: flockId }),
  })

const pageOf = async (response: Response): Promise<string> =>
  String(((await response.json()) as { url?: string }).url)

async function begin(rookery: TestConsole): Promise<string> {
  const response = await start(rookery)
  expect(response.status).toBe(200)
  return pageOf(response)
}

async function come(back: string) {
  const response = await fetch(back)
  return { status: response.status, json: (await response.json()) as Record<string, unknown> }
}

const listed = async (rookery: TestConsole) =>
  (await rookery.api.flockChats.chatops({ flock_id: FLOCK })).chatops_webhooks

describe.each(engines)('adding a channel of a chat service (%s)', (engine) => {
  it('leads the browser to the service, exchanges its code, and alerts then go there', async () => {
    const { rookery, service } = await openDesk(engine)
    const page = await begin(rookery)
    expect(page).toMatch(new RegExp(`^${service.url}/oauth/v2/authorize\\?`))
    expect(Object.fromEntries(new URL(page).searchParams)).toMatchObject({
      client_id: CLIENT.id,
      scope: 'incoming-webhook',
      redirect_uri: `${rookery.console.apiUrl}/oauth/chatops/callback`,
    })
    const { code, back } = service.agree(page, '#alerts')
    expect(await come(back)).toEqual({
      status: 200,
      json: { result: 'success', flock_id: FLOCK, team: 'Blue team', channel: '#alerts' },
    })
    expect(service.exchanges).toEqual([
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        code,
        redirect_uri: `${rookery.console.apiUrl}/oauth/chatops/callback`,
      },
    ])
    expect(await listed(rookery)).toMatchObject([
      {
        channel: '#alerts',
        team: 'Blue team',
        url: `${service.url}/services/T1/B1/s3cr3t`,
        configuration_url: `${service.url}/services/B1`,
      },
    ])
    await raiseIncident(rookery)
    const [post] = await service.posted(1)
    expect(post?.path).toBe('/services/T1/B1/s3cr3t')
    const { reader } = rookery.console.base
    const rows = JSON.stringify(await reader.selectFrom('webhook').selectAll().execute())
    for (const hidden of ['s3cr3t', '#alerts', 'Blue team', 'services/B1']) expect(rows).not.toContain(hidden)
    const trail = await reader.selectFrom('audit').selectAll().orderBy('id').execute()
    expect(trail.at(-1)).toMatchObject({
      action_type: 'flock_chats.add_chatops',
      flock_id: FLOCK,
      message: expect.stringContaining('#alerts') as string,
    })
    expect(JSON.stringify(trail)).not.toContain('s3cr3t')
  })

  it('of a channel that is there takes its place', async () => {
    const { rookery, service } = await openDesk(engine)
    for (const channel of ['#alerts', '#other', '#alerts'])
      await come(service.agree(await begin(rookery), channel).back)
    expect(
      (await listed(rookery)).map(({ channel, url }) => [channel, url?.slice(service.url.length)]),
    ).toEqual([
      ['#alerts', '/services/T1/B3/s3cr3t'],
      ['#other', '/services/T1/B2/s3cr3t'],
    ])
  })

  it('takes a state once, for ten minutes, and only one that it gave', async () => {
    const { rookery, service, pass } = await openDesk(engine)
    const spent = service.agree(await begin(rookery), '#once').back
    expect((await come(spent)).status).toBe(200)
    const again = await come(spent)
    expect([again.status, again.json['details']]).toEqual([
      400,
      { state: 'has expired or was used already: begin again on the page of receivers' },
    ])
    const late = service.agree(await begin(rookery), '#late').back
    pass(600_001)
    expect((await come(late)).status).toBe(400)
    const good = new URL(service.agree(await begin(rookery), '#forged').back)
    const [body = '', mac = ''] = (good.searchParams.get('state') ?? '').split('.')
    const altered = Buffer.from(
      JSON.stringify({
        ...(JSON.parse(Buffer.from(body, 'base64url').toString()) as object),
        expiresAt: 9e15,
      }),
    ).toString('base64url')
    for (const state of ['', 'x', `${body}.`, `${body}.AAAA`, `${altered}.${mac}`, 'a'.repeat(5_000)]) {
      const url = new URL(good)
      url.searchParams.set('state', state)
      expect([state.slice(0, 20), (await come(url.href)).status]).toEqual([state.slice(0, 20), 400])
    }
    expect((await fetch(good, { method: 'HEAD' })).status).toBe(405)
    const both = await Promise.all([come(good.href), come(good.href)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400])
    expect(service.exchanges).toHaveLength(2)
  })

  it('says why the service refused, and keeps nothing', async () => {
    const { rookery, service } = await openDesk(engine)
    const back = new URL(service.agree(await begin(rookery), '#x').back)
    back.searchParams.delete('code')
    back.searchParams.set('error', 'access_denied')
    expect((await come(back.href)).json['message']).toBe(
      'The chat service did not authorise the channel: It said access_denied.',
    )
    const wrong = new URL(service.agree(await begin(rookery), '#x').back)
    wrong.searchParams.set('code', 'guessed')
    expect((await come(wrong.href)).json['message']).toBe(
      'The chat service did not authorise the channel: It said invalid_code.',
    )
    const none = new URL(service.agree(await begin(rookery), '#x').back)
    none.searchParams.delete('code')
    expect((await come(none.href)).status).toBe(400)
    expect(await listed(rookery)).toEqual([])
  })

  it('is begun by an admin alone, for a Flock that is there, where a service is configured', async () => {
    const { rookery } = await openDesk(engine)
    const made = await rookery.api.apiKeys.add({ auth_token_type: 'analyst', note: 'a' })
    const analyst = made.global_api_key
    expect((await start(rookery, FLOCK, {})).status).toBe(401)
    expect((await start(rookery, FLOCK, { 'X-Auth-Token': 'f'.repeat(32) })).status).toBe(401)
    expect((await start(rookery, FLOCK, { Authorization: `Bearer ${analyst.auth_token}` })).status).toBe(403)
    expect((await start(rookery, '')).status).toBe(400)
    expect((await start(rookery, 'flock:none')).status).toBe(404)
    const bare = await openTestConsole({ engine })
    const answer = await start(bare)
    expect([answer.status, ((await answer.json()) as { message: string }).message]).toEqual([
      409,
      'No chat service is configured: set ROOKERY_CHATOPS_CLIENT_ID and ROOKERY_CHATOPS_CLIENT_SECRET.',
    ])
  })

  it('is void when its key or its Flock has gone meanwhile', async () => {
    const { rookery, service } = await openDesk(engine)
    const made = await rookery.api.apiKeys.add({ auth_token_type: 'admin', note: 'short' })
    const key = made.global_api_key
    const begun = await start(rookery, FLOCK, { 'X-Auth-Token': key.auth_token })
    await rookery.api.apiKeys.remove({ key_id: key.key_id })
    const { back } = service.agree(await pageOf(begun), '#x')
    expect((await come(back)).status).toBe(403)
    const answer = await rookery.api.flocks.create({ name: 'Short' })
    const flockId = String(answer.flock_id)
    const page = await pageOf(await start(rookery, flockId))
    await rookery.api.flocks.remove({ flock_id: flockId })
    expect((await come(service.agree(page, '#x').back)).status).toBe(404)
    expect(service.exchanges).toEqual([])
  })

  it('is void when its key has expired or the API was switched off meanwhile', async () => {
    const { rookery, service, pass } = await openDesk(engine)
    const expires = new Date(systemClock.now() + 60_000).toISOString().slice(0, 19).replace('T', '-')
    const made = await rookery.api.apiKeys.add({ auth_token_type: 'admin', note: 'short', expires })
    const begun = await start(rookery, FLOCK, { 'X-Auth-Token': made.global_api_key.auth_token })
    const later = await begin(rookery)
    pass(61_000)
    expect((await come(service.agree(await pageOf(begun), '#x').back)).json).toMatchObject({
      error: 'forbidden',
      message: 'The key that began this authorisation was removed or has expired.',
    })
    await rookery.post('/settings/api/disable')
    expect((await come(service.agree(later, '#x').back)).json).toMatchObject({
      error: 'forbidden',
      message: 'The API was switched off after this authorisation had begun.',
    })
    expect(service.exchanges).toEqual([])
  })

  it('comes back to the public address', async () => {
    const { rookery } = await openDesk(engine, { ROOKERY_PUBLIC_URL: 'https://rookery.example.com' })
    // The console itself is reached where it listens.
    const { port } = new URL(rookery.console.linkUrl ?? '')
    const at = `http://127.0.0.1:${port}/api/v1/flock/settings/webhooks/chatops/authorise`
    const body = new URLSearchParams({ flock_id: FLOCK })
    const response = await fetch(at, { method: 'POST', headers: { 'X-Auth-Token': ADMIN }, body })
    expect(new URL(await pageOf(response)).searchParams.get('redirect_uri')).toBe(
      'https://rookery.example.com/oauth/chatops/callback',
    )
  })

  it('is begun by a person at the page, who goes on there; one who lost the role meanwhile adds nothing', async () => {
    const { rookery, service } = await openDesk(engine)
    await addPerson(rookery)
    const { halves } = await signIn(rookery)
    const page = async () => {
      const path = '/flock/settings/webhooks/chatops/authorise'
      return String((await askAs(rookery, halves, 'POST', path, { flock_id: FLOCK })).json['url'])
    }
    const goOn = (back: string) => fetch(back, { redirect: 'manual' })
    const added = await goOn(service.agree(await page(), '#alerts').back)
    expect([added.status, added.headers.get('location')]).toEqual([
      303,
      `${rookery.console.apiUrl}/alerts/receivers?chat=added`,
    ])
    expect(await listed(rookery)).toMatchObject([{ channel: '#alerts' }])
    const denied = new URL(service.agree(await page(), '#x').back)
    denied.searchParams.set('error', 'access_denied')
    expect((await goOn(denied.href)).headers.get('location')).toMatch(/chat=refused$/)
    const late = service.agree(await page(), '#late').back
    await rookery.console.base.writer.write((tx) =>
      tx.query.updateTable('user_account').set({ disabled: 1 }).where('email', '=', ANN).execute(),
    )
    expect((await come(late)).status).toBe(403)
    expect(await listed(rookery)).toHaveLength(1)
  })
})
