// A token of a Slack user: the program that uses it is Slack's own SDK, the workspace a small fake.
import { ErrorCode, LogLevel, WebClient } from '@slack/web-api'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openFakeSlack, type FakeSlack } from '@rookery/tokens/test/fakes/slack.ts'
import { loopbackOutbound } from '../../../test/raise-incident.ts'
import { manualClock } from '../../../test/manual-clock.ts'
import { engines, openTestConsole } from '../../../test/test-console.ts'
import type { EngineName } from '../../db/query.ts'

const MINUTE_MS = 60_000

async function openWorkspace(nowS: () => number): Promise<FakeSlack> {
  const slack = await openFakeSlack(nowS)
  onTestFinished(slack.close)
  return slack
}

async function open(engine: EngineName) {
  const clock = manualClock()
  const slack = await openWorkspace(() => Math.floor(clock.now() / 1_000))
  const env = { ROOKERY_SLACK_ADMIN_TOKEN: slack.adminToken, ROOKERY_SLACK_URL: slack.url }
  const rookery = await openTestConsole({ engine, env, world: { clock, outbound: loopbackOutbound() } })
  return {
    clock,
    slack,
    rookery,
    /** The console reads the access logs, once. */
    async poll(): Promise<void> {
      clock.advance(MINUTE_MS)
      await rookery.console.providers.idle()
    },
  }
}

const clientOf = (url: string, token: string): WebClient =>
  new WebClient(token, {
    slackApiUrl: `${url}/`,
    logLevel: LogLevel.ERROR,
    retryConfig: { retries: 0 },
    allowAbsoluteUrls: false,
  })

const create = (rookery: Awaited<ReturnType<typeof open>>['rookery'], chatops_token: string) =>
  rookery.api.tokens.create({ kind: 'chatops-api', memo: 'm', chatops_token })

describe.each(engines)('a token of a Slack user (%s)', (engine) => {
  it('fires with the address and the program of each use, within a minute of its entry', async () => {
    const { clock, slack, rookery, poll } = await open(engine)
    const { token } = slack.addUser('reporter')
    const { decoytoken } = await create(rookery, token)
    expect(decoytoken.renders).toEqual({
      api_token: token,
      user: 'reporter',
      workspace: 'https://example.slack.com/',
    })
    await poll()
    expect((await rookery.api.incidentQueries.all()).incidents).toEqual([])
    clock.advance(MINUTE_MS)
    expect(await clientOf(slack.url, token).auth.test()).toMatchObject({ user: 'reporter' })
    const usedAt = clock.now()
    await poll()
    await poll()
    const [incident, ...more] = (await rookery.api.incidentQueries.all()).incidents
    expect(more).toEqual([])
    expect(incident?.description).toMatchObject({
      logtype: '17020',
      src_host: '127.0.0.1',
      memo: 'm',
      created: String(usedAt / 1_000),
      events: [
        {
          decoytoken: decoytoken.decoytoken,
          type: 'chatops-api',
          event_name: 'access_log',
          username: 'reporter',
          count: 1,
          isp: 'Example Net',
          country: 'DE',
          dst_port: 443,
          src_host: '127.0.0.1',
          headers: {},
          date_first: new Date(usedAt).toISOString(),
          useragent: expect.stringContaining('web-api') as string,
          delay_s: expect.any(Number) as number,
        },
      ],
    })
    await clientOf(slack.url, token).auth.test()
    await poll()
    const [again] = (await rookery.api.incidentQueries.all()).incidents
    expect(again?.description.events).toMatchObject([{ count: 1 }, { count: 2 }])
  })

  it('is read on after a restart, and what happened meanwhile fires', async () => {
    const { slack, rookery, poll } = await open(engine)
    const { token } = slack.addUser('reporter')
    await create(rookery, token)
    await poll()
    await clientOf(slack.url, token).auth.test()
    await rookery.restart()
    await rookery.console.providers.idle()
    expect((await rookery.api.incidentQueries.all()).incidents).toHaveLength(1)
  })

  it('is revoked at Slack when it is deleted, also after Slack was away', async () => {
    const { clock, slack, rookery } = await open(engine)
    const { token } = slack.addUser('reporter')
    const { decoytoken } = (await create(rookery, token)).decoytoken
    slack.failWith = 503
    await rookery.api.tokens.remove({ decoytoken })
    await rookery.console.providers.idle()
    const [away] = (await rookery.api.tokens.channels()).providers.filter((it) => it.provider === 'slack')
    expect(away).toMatchObject({ tokens: 0, revoking: 1 })
    slack.failWith = 0
    for (const ms of [MINUTE_MS / 2, MINUTE_MS / 2]) {
      clock.advance(ms)
      await rookery.console.providers.idle()
    }
    const client = clientOf(slack.url, token)
    await expect(client.auth.test()).rejects.toMatchObject({
      code: ErrorCode.PlatformError,
      data: { error: 'token_revoked' },
    })
    const [done] = (await rookery.api.tokens.channels()).providers.filter((it) => it.provider === 'slack')
    expect(done).toMatchObject({ tokens: 0, revoking: 0 })
  })

  it('is refused where it could never fire: a wrong token, another workspace, no paid plan', async () => {
    const { slack, rookery } = await open(engine)
    const refused = (chatops_token: string) =>
      rookery.post('/decoytoken/create', { kind: 'chatops-api', memo: 'm', chatops_token })
    const { token } = slack.addUser('reporter')
    expect(await refused('xoxp-wrong')).toMatchObject({
      status: 400,
      text: expect.stringContaining('the token is not valid (invalid_auth)') as string,
    })
    expect(await refused(slack.addUser('stranger', 'T0BBBBBBB').token)).toMatchObject({
      status: 400,
      text: expect.stringContaining('of the workspace') as string,
    })
    slack.logsError = 'paid_only'
    expect(await refused(token)).toMatchObject({
      status: 503,
      text: expect.stringContaining('no paid plan') as string,
    })
    slack.logsError = undefined
    slack.failWith = 500
    expect(await refused(token)).toMatchObject({ status: 503 })
    expect((await rookery.api.tokens.ofFlock({})).tokens).toEqual([])
  })

  it('cannot be tested by a touch of the console: the answer says how', async () => {
    const { slack, rookery } = await open(engine)
    const { decoytoken } = (await create(rookery, slack.addUser('reporter').token)).decoytoken
    await expect(rookery.api.tokens.selfTest({ decoytoken })).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining('its provider reports its uses') as string,
    })
  })

  it('cannot be changed, and is one token alone', async () => {
    const { slack, rookery } = await open(engine)
    const { token } = slack.addUser('reporter')
    const { decoytoken } = (await create(rookery, token)).decoytoken
    await expect(
      rookery.api.tokens.update({ decoytoken, chatops_token: 'xoxp-other' }),
    ).rejects.toMatchObject({ status: 400 })
    await expect(create(rookery, token)).rejects.toMatchObject({ status: 409 })
    await rookery.api.tokens.update({ decoytoken, memo: 'moved' })
    expect((await rookery.api.tokens.fetch({ decoytoken })).token.renders).toMatchObject({ user: 'reporter' })
  })
})

describe('without a provider', () => {
  it('a token that needs one is a conflict that names the options', async () => {
    const rookery = await openTestConsole()
    const answer = await rookery.post('/decoytoken/create', {
      kind: 'chatops-api',
      memo: 'm',
      chatops_token: 'xoxp-1',
    })
    expect(answer.status).toBe(409)
    expect(answer.text).toContain('ROOKERY_SLACK_ADMIN_TOKEN')
    const [provider] = (await rookery.api.tokens.channels()).providers.filter((it) => it.provider === 'slack')
    expect(provider).toMatchObject({
      configured: false,
      missing: ['ROOKERY_SLACK_ADMIN_TOKEN'],
      kinds: ['chatops-api'],
      last_feed: null,
      tokens: 0,
      feed_url: '',
    })
  })

  it('a webhook is planted: messages and calls of the API fire, by the SDK of Slack', async () => {
    const rookery = await openTestConsole()
    const { decoytoken } = await rookery.api.tokens.create({ kind: 'chatops-api', memo: 'm' })
    const url = decoytoken.renders['webhook_url'] ?? ''
    expect(url).toMatch(/\/services\/T0[A-Z0-9]{9}\/B0[A-Z0-9]{9}\/[a-z0-9]{25}$/)
    const sent = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text: 'backup failed' }),
    })
    expect([sent.status, await sent.text()]).toEqual([200, 'ok'])
    await expect(
      clientOf(url, 'xoxb-1').chat.postMessage({ channel: 'C1', text: 'hi' }),
    ).rejects.toMatchObject({ data: { ok: false, error: 'invalid_auth' } })
    const events = (await rookery.api.incidentQueries.all()).incidents.flatMap(
      ({ description }) => description.events,
    )
    expect(events).toMatchObject([
      { decoytoken: decoytoken.decoytoken, method: 'POST', text: 'backup failed' },
      { method: 'POST', api_method: 'chat.postMessage', text: 'hi' },
    ])
  })
})
