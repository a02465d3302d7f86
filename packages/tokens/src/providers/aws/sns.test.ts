import { describe, expect, it } from 'vitest'
import type { OutboundRequest } from '@rookery/kernel/world.ts'
import { confirmSubscription, openSns } from './sns.ts'
import { fakeSns, TOPIC } from '../../../test/fakes/sns.ts'

const NOW = Date.UTC(2026, 10, 23, 9)
const YEAR_MS = 365 * 86_400_000
const sns = fakeSns(NOW)
const topic = { arn: TOPIC, endpoint: '' }

function open({ now = NOW, body = sns.certificatePem, status = 200 } = {}) {
  const asked: OutboundRequest[] = []
  const outbound = {
    send(request: OutboundRequest) {
      asked.push(request)
      return Promise.resolve({ status, headers: {}, body })
    },
  }
  const deps = { outbound, clock: { now: () => now, after: () => () => undefined } }
  return { asked, deps, read: openSns(deps, topic) }
}

describe('a message of SNS', () => {
  it.each([
    ['1', {}],
    ['2', {}],
    ['2', { Subject: 'a subject' }],
  ])('is taken by its signature, version %s, %j', async (version, facts) => {
    const { read, asked } = open()
    const body = sns.notification('{"a":1}', { SignatureVersion: version, ...facts })
    expect(await read(body)).toMatchObject({ type: 'Notification', message: '{"a":1}', at: NOW })
    await read(body)
    expect(asked.map(({ url }) => url)).toEqual([
      'https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-0000000000000000000000.pem',
    ])
  })

  const changed = (body: string, facts: object): string =>
    JSON.stringify({ ...(JSON.parse(body) as object), ...facts })
  const other = fakeSns(NOW)

  it.each([
    ['no JSON', 'hello', 'is no message of SNS'],
    ['raw, without a signature', '{"detail-type":"AWS API Call via CloudTrail"}', 'is no message of SNS'],
    ['another topic', sns.notification('x', { TopicArn: `${TOPIC}-2` }), `rookery-2", not ${TOPIC}.`],
    [
      'another message',
      changed(sns.notification('x'), { Message: 'y' }),
      'signature of the message is wrong',
    ],
    ['a subject that was not signed', changed(sns.notification('x'), { Subject: 'y' }), 'signature'],
    ['no signature', changed(sns.notification('x'), { Signature: '' }), 'signature of the message is wrong'],
    ['another key', other.notification('x'), 'signature of the message is wrong'],
    [
      'another version than it is signed with',
      changed(sns.notification('x'), { SignatureVersion: '1' }),
      'signature of the message is wrong',
    ],
    ['an unknown version', changed(sns.notification('x'), { SignatureVersion: '3' }), 'is no message of SNS'],
  ])('is not taken: %s', async (_what, body, reason) => {
    await expect(open().read(body)).rejects.toMatchObject({
      code: 'unauthenticated',
      message: expect.stringContaining(reason) as string,
    })
  })

  it.each([
    'https://evil.example/SimpleNotificationService-1.pem',
    'https://sns.eu-west-1.amazonaws.com.evil.example/SimpleNotificationService-1.pem',
    'https://sns.eu-west-1.amazonaws.com@evil.example/SimpleNotificationService-1.pem',
    'https://sns.us-east-1.amazonaws.com/SimpleNotificationService-1.pem',
    'http://sns.eu-west-1.amazonaws.com/SimpleNotificationService-1.pem',
    'https://sns.eu-west-1.amazonaws.com/?Action=-----BEGIN%20CERTIFICATE-----',
    'https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-1.pem?Action=x',
    'not a URL',
    '',
  ])('whose certificate is at %s is not taken, and nothing is fetched', async (url) => {
    const { read, asked } = open()
    await expect(read(sns.notification('x', { SigningCertURL: url }))).rejects.toThrow(
      'has no certificate at',
    )
    expect(asked).toEqual([])
  })

  it('of an expired certificate is not taken', async () => {
    await expect(open({ now: NOW + 2 * YEAR_MS }).read(sns.notification('x'))).rejects.toThrow('has expired')
  })

  it('waits where the certificate is not to be had, and is taken on another try', async () => {
    for (const answer of [{ status: 503 }, { body: '<html>' }])
      await expect(open(answer).read(sns.notification('x'))).rejects.toMatchObject({ code: 'unavailable' })
  })
})

describe('a subscription', () => {
  const url = 'https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&Token=1'

  it('is confirmed at SNS', async () => {
    const { read, deps, asked } = open()
    await confirmSubscription(deps, await read(sns.confirmation(url)), topic)
    expect(asked.at(-1)).toMatchObject({ url, method: 'GET' })
    const refusing = open({ status: 403 }).deps
    const message = await read(sns.confirmation(url))
    await expect(confirmSubscription(refusing, message, topic)).rejects.toThrow('with 403')
  })

  it('is confirmed nowhere else, also where SNS signed it', async () => {
    const { read, deps, asked } = open()
    const message = await read(sns.confirmation('https://evil.example/?Action=ConfirmSubscription'))
    await expect(confirmSubscription(deps, message, topic)).rejects.toThrow('confirms no subscription at')
    expect(asked).toHaveLength(1)
  })
})
