import { describe, expect, it } from 'vitest'
import { STAND_INS } from '@rookery/contract/examples.ts'
import { flockWebhooks } from '@rookery/contract/groups/flock-webhooks.ts'
import { describeTest } from '@rookery/console/notify/message/incident.ts'
import { descriptor } from './descriptor.ts'
import { someNameMessage } from '../receiver/message.ts'

describe('some name', () => {
  it('takes a host and a port', () => {
    const { url, settings } = descriptor.parse({ host: '192.0.2.1', port: 9_000 })
    expect([url.href, settings]).toEqual(['tcp://192.0.2.1:9000', { host: '192.0.2.1', port: '9000' }])
  })

  it('is listed with all others', () => {
    expect(
      Object.keys(flockWebhooks.info.answer.properties.webhook_info.properties),
      'packages/contract/src/groups/flock-webhooks.ts: its field in what `info` answers',
    ).toContain(descriptor.info.field)
  })

  it('has an id in examples', () => {
    expect(
      Object.keys(STAND_INS),
      'packages/contract/src/examples.ts: how its id looks; packages/console/test/seed.ts: what makes one',
    ).toContain('some_name_id')
  })

  it('gets a message in its own shape', () => {
    const flock = { id: 'flock:default', name: 'Default Flock' }
    const sent = someNameMessage(describeTest(flock, 0, 'https://rookery.example.com/'))
    expect(
      Object.keys(sent),
      'message.ts: the fields of the service; claim here what an incident, a digest and a notice become',
    ).not.toEqual(['text'])
  })

  it('is not made to act by text from outside', () => {
    expect.unreachable(
      'message.ts: escape for the service; claim it with forEachHostileMessage, as teamchat does',
    )
  })

  it('has the alert once it was sent', () => {
    expect.unreachable(
      'sender.ts: where a message ends; claim it with a server on loopback, as syslog does (test/syslog-collector.ts)',
    )
  })

  it('is described for people', () => {
    expect.unreachable('README.md: the service, what it is sent, what counts as delivered, its limits')
  })
})
