import { describe, expect, it } from 'vitest'
import { fakeOutbound } from '../../../test/fakes/outbound.ts'
import { deriver } from '../../derive.ts'
import { awsService, textIn } from './query.ts'
import openProvider from './provider.ts'
import { cloudTrailEvent } from '../../../test/fakes/cloudtrail-event.ts'
import { ADMIN_KEY, FAKE_ACCOUNT, fakeAws } from '../../../test/fakes/aws.ts'
import { fakeSns, TOPIC } from '../../../test/fakes/sns.ts'

const START = Date.UTC(2026, 10, 23, 9)
const HOUR_MS = 3_600_000
const derive = deriver('cloud-a-id', Buffer.alloc(32, 7))
const sns = fakeSns(START)
const token = {
  tokenId: 'tok1',
  kind: 'cloud-a-id',
  memo: 'm',
  settings: {},
  derive,
  feedUrl: 'https://t.example/f',
}
const request = {
  ...token,
  address: { tokenId: 'tok1', url: 'https://t.example/tok1/x', hostname: 'tok1.t.example' },
}

function open() {
  const time = { now: START }
  const fake = fakeAws(() => time.now)
  const confirmed: string[] = []
  const clock = { now: () => time.now, after: () => () => undefined }
  const outbound = fakeOutbound((given, host) => {
    if (host === 'iam.amazonaws.com' || host === 'sts.amazonaws.com') return fake.answer(given)
    if (given.path.endsWith('.pem')) return { status: 200, headers: {}, body: sns.certificatePem }
    confirmed.push(host + given.path)
    return { status: 200, headers: {}, body: '' }
  })
  const world = { clock, outbound, random: { bytes: (length: number) => Buffer.alloc(length) } }
  const options = {
    ROOKERY_AWS_ACCESS_KEY_ID: ADMIN_KEY.accessKeyId,
    ROOKERY_AWS_SECRET_ACCESS_KEY: ADMIN_KEY.secretAccessKey,
    ROOKERY_AWS_TOPIC: TOPIC,
    ROOKERY_AWS_PATH: '/service/',
    ROOKERY_AWS_ENDPOINT: '',
  }
  const client = openProvider({ world, options })
  return {
    time,
    fake,
    confirmed,
    client,
    feed: (body: string) =>
      client.ingest?.({ headers: {}, body: Buffer.from(body), receivedAt: time.now, feedUrl: token.feedUrl }),
    use: (issued: Readonly<Record<string, string>>) =>
      awsService(
        world,
        {
          key: {
            accessKeyId: issued['access_key_id'] ?? '',
            secretAccessKey: issued['secret_access_key'] ?? '',
          },
          endpoint: '',
        },
        'sts',
      )('GetCallerIdentity'),
  }
}

describe('the key of a token in an account of AWS', () => {
  it('is of a user of its own, without permissions', async () => {
    const { client, fake, use } = open()
    const { remoteId, issued } = await client.provision(request)
    expect(issued).toMatchObject({ access_key_id: remoteId, account: FAKE_ACCOUNT })
    expect(issued['username']).toMatch(/^[a-z0-9-]+-[0-9a-f]{6}$/)
    expect(textIn(await use(issued), 'Arn')).toBe(
      `arn:aws:iam::${FAKE_ACCOUNT}:user/service/${issued['username']}`,
    )
    expect([...fake.users.values()]).toEqual([
      { path: '/service/', tags: new Map([['rookery-token', 'tok1']]) },
    ])
  })

  it('that was made twice, since an answer was lost, is one, and is deleted with its user', async () => {
    const { client, fake } = open()
    await client.provision(request)
    const { remoteId } = await client.provision(request)
    expect([...fake.keys.keys()]).toEqual([remoteId])
    await client.revoke({ ...token, remoteId: '', handle: '' })
    await client.revoke({ ...token, remoteId: '', handle: '' })
    expect([fake.keys.size, fake.users.size]).toEqual([0, 0])
  })

  it('is none where AWS answers without one', async () => {
    const { client, fake } = open()
    fake.answerEmpty('CreateAccessKey')
    await expect(client.provision(request)).rejects.toThrow('AWS answered CreateAccessKey without a key.')
  })

  it('whose use SNS delivers is reported with its source and its id', async () => {
    const { client, feed } = open()
    const { remoteId } = await client.provision(request)
    const record = cloudTrailEvent({
      userIdentity: { accessKeyId: remoteId },
      eventTime: '2026-11-23T08:59:00Z',
    })
    const body = sns.notification(JSON.stringify(record))
    expect(await feed(body)).toEqual({
      events: [
        {
          id: 'eaa5a2f5-0f2e-4b3f-9d0c-1f5d3c1f9a01',
          remoteId,
          at: START - 60_000,
          srcHost: '203.0.113.9',
          eventName: 'GetCallerIdentity',
          fields: expect.objectContaining({ event_source: 'sts.amazonaws.com' }) as object,
        },
      ],
    })
    await expect(feed(body.replace('203.0.113.9', '198.51.100.1'))).rejects.toMatchObject({
      code: 'unauthenticated',
    })
  })

  it('is reported by the topic alone once its subscription is confirmed', async () => {
    const { feed, confirmed } = open()
    const path = '/?Action=ConfirmSubscription&Token=1'
    const at = `https://sns.eu-west-1.amazonaws.com${path}`
    await expect(feed(sns.confirmation(at, { TopicArn: `${TOPIC}-2` }))).rejects.toThrow('is of the topic')
    expect(await feed(sns.confirmation(at))).toEqual({ events: [] })
    expect(confirmed).toEqual([`sns.eu-west-1.amazonaws.com${path}`])
    expect(await feed(sns.notification('a heartbeat'))).toEqual({ events: [] })
  })
})

describe('a use that the feed did not report', () => {
  it('is found within two hours, once, without an address', async () => {
    const { client, time, use } = open()
    const { remoteId, issued } = await client.provision(request)
    const resources = [{ ...token, remoteId, createdAt: START, usedAt: 0 }]
    const poll = async (position: string) => client.poll?.({ position, resources })
    const first = await poll('')
    time.now += 60_000
    await use(issued)
    const tooEarly = await poll(first?.position ?? '')
    time.now += HOUR_MS
    const found = await poll(tooEarly?.position ?? '')
    time.now += HOUR_MS
    const later = await poll(found?.position ?? '')
    expect([first, tooEarly, later].map((it) => it?.events)).toEqual([[], [], []])
    expect(found?.events).toEqual([
      {
        id: `last use of ${remoteId} at ${START + 60_000}`,
        remoteId,
        at: START + 60_000,
        srcHost: '',
        eventName: 'AccessKeyLastUsed',
        fields: {
          event_source: 'sts.amazonaws.com',
          region: 'us-east-1',
          access_key_id: remoteId,
          is_feed_missing: true,
        },
      },
    ])
  })

  it('is none where the feed reported it, or one near it', async () => {
    const { client, time, use } = open()
    const { remoteId, issued } = await client.provision(request)
    await use(issued)
    time.now += HOUR_MS
    const pollWith = async (usedAt: number) => {
      const resources = [{ ...token, remoteId, createdAt: START, usedAt }]
      return (await client.poll?.({ position: '', resources }))?.events.length
    }
    expect([await pollWith(START - 60_000), await pollWith(START - HOUR_MS)]).toEqual([0, 1])
  })

  it('is found though the key is used all the time, and each use once', async () => {
    const { client, time, use } = open()
    const { remoteId, issued } = await client.provision(request)
    const resources = [{ ...token, remoteId, createdAt: START, usedAt: 0 }]
    const times: number[] = []
    let position = ''
    for (let hour = 0; hour < 4; hour++) {
      for (let n = 0; n < 6; n++) {
        time.now += HOUR_MS / 6
        await use(issued)
      }
      const report = await client.poll?.({ position, resources })
      position = report?.position ?? ''
      times.push(...(report?.events ?? []).map(({ at }) => at))
    }
    expect(times).toEqual([1, 2, 3].map((hour) => START + hour * HOUR_MS))
  })
})
