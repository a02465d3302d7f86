// Keys of an account of AWS, which is a small fake on loopback: what CloudTrail records comes by SNS, signed.
import { describe, expect, it, onTestFinished } from 'vitest'
import { openFakeAws } from '@rookery/tokens/test/fakes/aws-server.ts'
import { ADMIN_KEY } from '@rookery/tokens/test/fakes/aws.ts'
import { cloudTrailEvent } from '@rookery/tokens/test/fakes/cloudtrail-event.ts'
import { TOPIC } from '@rookery/tokens/test/fakes/sns.ts'
import { downloadToken } from '../../../test/download-token.ts'
import { manualClock } from '../../../test/manual-clock.ts'
import { loopbackOutbound } from '../../../test/raise-incident.ts'
import { engines, openTestConsole } from '../../../test/test-console.ts'
import type { EngineName } from '../../db/query.ts'

const HOUR_MS = 3_600_000

async function open(engine: EngineName) {
  const clock = manualClock()
  const aws = await openFakeAws(clock.now)
  onTestFinished(aws.close)
  const env = {
    ROOKERY_AWS_ACCESS_KEY_ID: ADMIN_KEY.accessKeyId,
    ROOKERY_AWS_SECRET_ACCESS_KEY: ADMIN_KEY.secretAccessKey,
    ROOKERY_AWS_TOPIC: TOPIC,
    ROOKERY_AWS_ENDPOINT: aws.url,
  }
  const rookery = await openTestConsole({ engine, env, world: { clock, outbound: loopbackOutbound() } })
  const provider = async () =>
    (await rookery.api.tokens.channels()).providers.find((it) => it.provider === 'aws')
  return {
    clock,
    aws,
    rookery,
    provider,
    create: (settings: Readonly<Record<string, string>> = {}) =>
      rookery.api.tokens.create({
        kind: 'cloud-a-id',
        memo: 'm',
        cloud_a_account: 'own',
        ...settings,
      }),
    /** What SNS posts to the address that the console names. */
    async deliver(body: string): Promise<number> {
      const { feed_url = '' } = (await provider()) ?? {}
      const response = await fetch(feed_url, { method: 'POST', body })
      await response.arrayBuffer()
      return response.status
    },
    async after(ms: number): Promise<void> {
      for (let passed = 0; passed < ms; passed += HOUR_MS / 2) {
        clock.advance(HOUR_MS / 2)
        await rookery.console.providers.idle()
      }
    },
  }
}

describe.each(engines)('a key of an account of AWS (%s)', (engine) => {
  it('fires with the call and the address that CloudTrail recorded, once', async () => {
    const { clock, aws, rookery, create, deliver, provider, after } = await open(engine)
    expect(await deliver(aws.confirmation())).toBe(200)
    expect(aws.confirmed).toHaveLength(1)
    const { decoytoken, warnings } = await create()
    expect(warnings).toBeUndefined()
    const { access_key_id = '', secret_access_key = '', username = '' } = decoytoken
    expect(aws.account.keys.get(access_key_id)).toMatchObject({
      userName: username,
      secretAccessKey: secret_access_key,
    })
    const file = (await downloadToken(rookery, decoytoken.decoytoken)).toString()
    expect(file).toContain(`aws_access_key_id = ${access_key_id}\n`)
    expect(file).toContain(`aws_secret_access_key = ${secret_access_key}\n`)
    expect(file).not.toContain('endpoint')
    const usedAt = clock.now() - 300_000
    const record = cloudTrailEvent({
      userIdentity: { type: 'IAMUser', accessKeyId: access_key_id },
      eventTime: new Date(usedAt).toISOString(),
      errorCode: 'AccessDenied',
      eventName: 'ListUsers',
    })
    const notification = aws.sns.notification(JSON.stringify(record))
    expect(await deliver(notification.replace('ListUsers', 'ListRoles'))).toBe(401)
    expect([await deliver(notification), await deliver(notification)]).toEqual([200, 200])
    const [incident, ...more] = (await rookery.api.incidentQueries.all()).incidents
    expect(more).toEqual([])
    expect(incident?.description).toMatchObject({
      logtype: '17012',
      src_host: '203.0.113.9',
      memo: 'm',
      created: String(usedAt / 1_000),
      events: [
        {
          decoytoken: decoytoken.decoytoken,
          type: 'cloud-a-id',
          event_name: 'ListUsers',
          dst_port: 443,
          src_host: '203.0.113.9',
          headers: {},
          delay_s: 300,
          event_source: 'sts.amazonaws.com',
          region: 'us-east-1',
          account: '123456789012',
          access_key_id,
          error_code: 'AccessDenied',
          request_id: '6f0a4a2c-3a9c-4f7d-8a34-0d3f8a8f2c11',
        },
      ],
    })
    expect(await provider()).toMatchObject({ configured: true, missing: [], tokens: 1 })
    const key = aws.account.keys.get(access_key_id)
    if (key) key.lastUse = { at: usedAt + 60_000, service: 'iam', region: 'us-east-1' }
    await after(2 * HOUR_MS)
    expect((await rookery.api.incidentQueries.all()).incidents).toHaveLength(1)
  })

  it('that was used without a report fires within two hours, without an address', async () => {
    const { clock, aws, rookery, create, after } = await open(engine)
    const { access_key_id = '' } = (await create()).decoytoken
    await after(HOUR_MS)
    const key = aws.account.keys.get(access_key_id)
    if (key) key.lastUse = { at: clock.now(), service: 's3', region: 'eu-west-1' }
    await after(2 * HOUR_MS)
    const events = (await rookery.api.incidentQueries.all()).incidents.flatMap(
      ({ description }) => description.events,
    )
    expect(events).toMatchObject([
      {
        event_name: 'AccessKeyLastUsed',
        src_host: '',
        event_source: 's3.amazonaws.com',
        is_feed_missing: true,
      },
    ])
  })

  it('is deleted at AWS with its token, or when it expires', async () => {
    const { aws, rookery, create, after } = await open(engine)
    const { decoytoken } = (await create()).decoytoken
    const expiring = (await create({ expiry: '2h' })).decoytoken
    expect(aws.account.users.size).toBe(2)
    await rookery.api.tokens.remove({ decoytoken })
    await rookery.console.providers.idle()
    expect([...aws.account.users.keys()]).toEqual([expiring.username])
    await after(HOUR_MS)
    expect(aws.account.keys.has(expiring.access_key_id ?? '')).toBe(true)
    await after(2 * HOUR_MS)
    expect([aws.account.users.size, aws.account.keys.size]).toEqual([0, 0])
    expect((await rookery.api.tokens.ofFlock({})).tokens).toHaveLength(1)
  })

  it('has no other expiry later, nor becomes one; the key of an endpoint may have one', async () => {
    const { rookery, create } = await open(engine)
    const { decoytoken: own, warnings } = await create({ expiry: '30d' })
    expect(warnings).toEqual([
      expect.stringMatching(/^Amazon Web Services has sent nothing yet: .*\/ingest\/aws\//),
    ])
    const { decoytoken } = own
    const endpoint = await rookery.api.tokens.create({ kind: 'cloud-a-id', memo: 'm' })
    expect(endpoint.warnings).toContainEqual(expect.stringContaining('with the endpoint of its file alone'))
    const other = endpoint.decoytoken.decoytoken
    for (const change of [
      { decoytoken, expiry: '60d' },
      { decoytoken, cloud_a_account: 'endpoint' as const },
      { decoytoken: other, cloud_a_account: 'own' as const },
    ])
      await expect(rookery.api.tokens.update(change)).rejects.toMatchObject({ status: 400 })
    await rookery.api.tokens.update({ decoytoken, cloud_a_client: 'rclone' })
    await rookery.api.tokens.update({ decoytoken: other, expiry: '60d' })
  })

  it('is refused with the words of AWS, and leaves nothing there', async () => {
    const { aws, rookery, create, after } = await open(engine)
    aws.account.fail('CreateAccessKey', 'LimitExceeded')
    await expect(create()).rejects.toMatchObject({
      status: 503,
      message: expect.stringContaining('AWS refused CreateAccessKey with 400 LimitExceeded') as string,
    })
    expect(aws.account.users.size).toBe(1)
    await after(HOUR_MS)
    expect(aws.account.users.size).toBe(0)
    expect((await rookery.api.tokens.ofFlock({})).tokens).toEqual([])
  })
})

it('without the options of AWS, a key of an own account is a conflict that names them', async () => {
  const { api, post } = await openTestConsole({ env: { ROOKERY_AWS_TOPIC: TOPIC } })
  const answer = await post('/decoytoken/create', {
    kind: 'cloud-a-id',
    memo: 'm',
    cloud_a_account: 'own',
  })
  expect(answer.status).toBe(409)
  expect(answer.text).toContain('ROOKERY_AWS_ACCESS_KEY_ID, ROOKERY_AWS_SECRET_ACCESS_KEY')
  expect((await api.tokens.create({ kind: 'cloud-a-id', memo: 'm' })).decoytoken.kind).toBe('cloud-a-id')
})
