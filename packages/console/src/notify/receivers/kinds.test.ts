// Every kind of webhook, through the same queue: each gets each kind of message, in its own shape.
import { describe, expect, it } from 'vitest'
import type { OutboundRequest } from '@rookery/kernel/world.ts'
import { addReceiver, raiseIncident, FLOCK } from '../../../test/raise-incident.ts'
import { openTestConsole } from '../../../test/test-console.ts'
import { manualClock } from '../../../test/manual-clock.ts'
import { addChannel } from './chatops/channels.ts'

const flock_id = FLOCK
const webhooks = '/flock/settings/webhooks'
const HOSTS = ['generic.test', 'teamchat.test', 'chatops.test', 'collector.test:8088']

async function openYard() {
  const clock = manualClock()
  const sent: { readonly host: string; readonly body: string }[] = []
  let answering = (_host: string, _body: string): number => 200
  const outbound = {
    send({ url, body = '' }: OutboundRequest) {
      const { host } = new URL(url)
      sent.push({ host, body })
      return Promise.resolve({ status: answering(host, body), headers: {}, body: '' })
    },
  }
  const rookery = await openTestConsole({
    world: { clock, outbound },
    parts: ['api'],
    alerting: { perMinute: 2 },
  })
  await addReceiver(rookery, 'https://generic.test/in')
  await rookery.post(`${webhooks}/teamchat/add`, { flock_id, url: 'https://teamchat.test/in' })
  const { base } = rookery.console
  const channel = { team: 'T', channel: '#a', url: 'https://chatops.test/in', configuration_url: '' }
  await base.writer.write((tx) => addChannel(tx, base, flock_id, channel))
  await rookery.post(`${webhooks}/siem/add`, { flock_id, host: 'collector.test', port: '8088', token: 't' })
  return {
    rookery,
    sent,
    to: (host: string) => sent.filter((it) => it.host === host).map(({ body }) => body),
    answer: (next: typeof answering) => void (answering = next),
    async pass(ms: number) {
      clock.advance(ms)
      await rookery.console.dispatcher.idle()
    },
  }
}

const MARKS: Readonly<Record<string, RegExp>> = {
  'generic.test': /^\{"Description":/,
  'teamchat.test': /"type":"AdaptiveCard","version":"1\.4"/,
  'chatops.test': /"blocks":\[\{"type":"header"/,
  'collector.test:8088': /"sourcetype":"rookery:incident"/,
}

describe('each kind of webhook', () => {
  it('gets incidents one by one, then in a digest, in its own shape', async () => {
    const { rookery, to, pass } = await openYard()
    for (let i = 0; i < 5; i++) {
      await raiseIncident(rookery)
      await rookery.console.dispatcher.idle()
    }
    await pass(61_000)
    for (const host of HOSTS) {
      const bodies = to(host)
      expect(bodies).toHaveLength(3)
      for (const body of bodies) expect(body).toMatch(MARKS[host] ?? /^$/)
      expect(bodies[0]).toContain('SSH Login Attempt on Bird bird-1')
      expect(bodies[2]).toContain('Digest of Incidents')
      expect(bodies[2]).toContain('3 more incidents came within a minute than are sent one by one.')
      expect(bodies[2]).toContain('SSH Login Attempt (bird-1)')
    }
  })

  it('gets a notice when another was switched off', async () => {
    const { rookery, to, answer } = await openYard()
    answer((host) => (host === 'generic.test' ? 410 : 200))
    await raiseIncident(rookery)
    await rookery.console.dispatcher.idle()
    for (const host of HOSTS.slice(1)) {
      expect(to(host)).toHaveLength(2)
      expect(to(host)[1]).toContain('Alerts no longer go to the receiver at generic.test')
    }
  })

  it('gets the reduced form of what it refused, without a word from outside', async () => {
    const { rookery, to, answer, pass } = await openYard()
    answer((_host, body) => (body.includes('refuse-me') ? 400 : 200))
    await raiseIncident(rookery, { fields: { NOTE: 'refuse-me' } })
    await raiseIncident(rookery)
    for (const ms of [0, 7_000, 400_000, 2_200_000, 9_000_000]) await pass(ms)
    for (const host of HOSTS) {
      const [reduced] = to(host).filter((body) => body.includes('refused the whole alert'))
      expect([host, reduced]).toEqual([host, expect.stringMatching(MARKS[host] ?? /^$/) as string])
      for (const word of ['refuse-me', 'bird-1', 'toor', 'Default Flock']) expect(reduced).not.toContain(word)
    }
  })
})
