// A console that listens at every address of its machine: what it prints and sends names an address that can be called.
import { networkInterfaces } from 'node:os'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import type { Outbound } from '@rookery/kernel/world.ts'
import { openClient } from '@rookery/sdk/client.ts'
import { sentUrl } from '../addresses/reachable-address.ts'
import { FLOCK, raiseIncident } from '../../test/raise-incident.ts'
import { ADMIN, openTestConsole } from '../../test/test-console.ts'

const hasIpv6 = Object.values(networkInterfaces()).some((own) => own?.some((it) => it.family === 'IPv6'))

async function openAt(address: string, env: Readonly<Record<string, string>> = {}) {
  const sent: Record<string, unknown>[] = []
  const outbound: Outbound = {
    send({ body = '' }) {
      sent.push(JSON.parse(body) as Record<string, unknown>)
      return Promise.resolve({ status: 204, headers: {}, body: '' })
    },
  }
  const warnings: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => warnings.push(line) })
  const all = { ROOKERY_LISTEN: `${address}:0`, ROOKERY_TOKENS_LISTEN: `${address}:0`, ...env }
  const rookery = await openTestConsole({ env: all, world: { outbound }, log })
  // By loopback, as on the machine itself: no test calls the public URL.
  const api = openClient({ baseUrl: rookery.console.linkUrl ?? '', key: ADMIN })
  await api.flockWebhooks.addGeneric({ flock_id: FLOCK, url: 'https://alerts.example.com/in' })
  await raiseIncident(rookery)
  await rookery.console.dispatcher.idle()
  const { command } = await api.enrolments.create({})
  const { factory_url } = await api.tokenFactory.createFactory({ flock_id: FLOCK, memo: 'm' })
  const about = warnings.filter((line) => line.includes('ROOKERY_PUBLIC_URL is not set'))
  return { console: rookery.console, alert: sent[0] ?? {}, command, factory_url, warnings: about }
}

const UNSPECIFIED = /\/\/(0\.0\.0\.0|\[::\])/

describe.each(hasIpv6 ? ['0.0.0.0', '[::]'] : ['0.0.0.0'])('a console that listens at %s', (address) => {
  it('names an address of its machine in alerts and commands, or none where it has none, and warns once', async () => {
    const { console, alert, command, factory_url, warnings } = await openAt(address)
    const { port } = new URL(console.linkUrl ?? '')
    const expected = sentUrl('', `${address}:${port}`)
    expect(alert).toMatchObject({ AlertType: 'BirdIncident' })
    expect(alert['ConsoleUrl']).toBe(expected === '' ? undefined : expected)
    const ofIncident = `${expected}/incidents/${alert['IncidentHash']}`
    expect(alert['IncidentUrl']).toBe(expected === '' ? undefined : ofIncident)
    for (const url of [console.apiUrl, console.linkUrl, console.tokensUrl, command, factory_url])
      expect(url).not.toMatch(UNSPECIFIED)
    if (expected !== '') {
      expect(console.apiUrl).toBe(expected)
      expect(command).toContain(`--console ${expected} `)
      expect(factory_url).toContain(`${expected}/`)
    }
    expect(warnings).toHaveLength(1)
  })

  it('names the public URL where there is one', async () => {
    const ROOKERY_PUBLIC_URL = 'https://console.example.com'
    const { console, alert, command, factory_url, warnings } = await openAt(address, { ROOKERY_PUBLIC_URL })
    expect([alert['ConsoleUrl'], console.apiUrl]).toEqual([ROOKERY_PUBLIC_URL, ROOKERY_PUBLIC_URL])
    expect(command).toContain(`--console ${ROOKERY_PUBLIC_URL} `)
    expect(factory_url).toContain(`${ROOKERY_PUBLIC_URL}/`)
    expect(warnings).toEqual([])
  })
})
