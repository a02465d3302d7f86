import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { recordedCall } from './cloudtrail.ts'
import { cloudTrailEvent } from '../../../test/fakes/cloudtrail-event.ts'

describe('a call that CloudTrail recorded', () => {
  it('is read with its key, its source and what was asked', () => {
    expect(recordedCall(cloudTrailEvent())).toEqual({
      eventId: 'eaa5a2f5-0f2e-4b3f-9d0c-1f5d3c1f9a01',
      accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
      at: Date.UTC(2026, 10, 23, 8, 58, 12),
      eventName: 'GetCallerIdentity',
      srcHost: '203.0.113.9',
      fields: {
        event_source: 'sts.amazonaws.com',
        region: 'us-east-1',
        account: '123456789012',
        access_key_id: 'AKIAIOSFODNN7EXAMPLE',
        error_code: '',
        request_id: '6f0a4a2c-3a9c-4f7d-8a34-0d3f8a8f2c11',
        useragent: 'aws-cli/2.9.19 Python/3.11.2 Linux/6.1.0',
      },
    })
  })

  it('of a refused request has its code, and of a service no address', () => {
    const refused = cloudTrailEvent({ errorCode: 'AccessDenied', sourceIPAddress: 'athena.amazonaws.com' })
    expect(recordedCall(refused)).toMatchObject({
      srcHost: '',
      fields: { error_code: 'AccessDenied', src_host_left_out: 'athena.amazonaws.com is no IP address' },
    })
  })

  it.each([
    ['nothing', undefined],
    ['a text', 'AWS API Call via CloudTrail'],
    ['an event of another service', { 'detail-type': 'EC2 Instance State-change', detail: { state: 'x' } }],
    ['a call of a service', cloudTrailEvent({ userIdentity: { type: 'AWSService', invokedBy: 'x' } })],
    ['a call without a time', cloudTrailEvent({ eventTime: 'yesterday' })],
    ['a call without an id', cloudTrailEvent({ eventID: undefined })],
  ])('is not read out of %s', (_what, event) => {
    expect(recordedCall(event)).toBeUndefined()
  })

  it('is read out of any JSON without an error, in short printable texts', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('sourceIPAddress', 'eventName', 'userAgent'), fc.jsonValue()),
        (values) => {
          const call = recordedCall(cloudTrailEvent(values))
          for (const text of [call?.eventName, call?.fields['useragent'], call?.srcHost])
            expect(text).toMatch(/^\P{Cc}{0,256}$/u)
        },
      ),
    )
  })
})
