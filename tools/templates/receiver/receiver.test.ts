import { describe, expect, it } from 'vitest'
import { flockWebhooks } from '@rookery/contract/groups/flock-webhooks.ts'
import { describeTest } from '@rookery/console/notify/message/incident.ts'
import { descriptor } from './descriptor.ts'
import { someNameMessage } from './message.ts'

describe('some name', () => {
  it('takes a URL, and shows its host alone to callers who are no admins', () => {
    const { url } = descriptor.parse({ url: 'https://some-name.example.com/in/a1b2' })
    expect([url.given, url.host]).toEqual(['https://some-name.example.com/in/a1b2', 'some-name.example.com'])
  })

  it('is listed with all others', () => {
    expect(
      Object.keys(flockWebhooks.info.answer.properties.webhook_info.properties),
      'packages/contract/src/groups/flock-webhooks.ts: its field in what `info` answers',
    ).toContain(descriptor.info.field)
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

  it('has the alert when the service says so', () => {
    expect.unreachable(
      'sender.ts: which answers are success; claim it over HTTP with openReceiver, as teamchat does',
    )
  })

  it('is described for people', () => {
    expect.unreachable('README.md: the service, what it is sent, what counts as delivered, its limits')
  })
})
