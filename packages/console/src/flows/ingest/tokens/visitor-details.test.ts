// Visits that one resolver, one machine or one browser makes within the time of a visit, and that say whose they are.
import { Resolver } from 'node:dns/promises'
import { once } from 'node:events'
import { connect } from 'node:net'
import { postgresStart } from '@rookery/tokens/client-logins.ts'
import { describe, expect, it } from 'vitest'
import { hostPort } from '../../../addresses/host-port.ts'
import { engines, openTestConsole, type TestConsole } from '../../../../test/test-console.ts'

const create = async ({ api }: TestConsole, kind: string) =>
  (await api.tokens.create({ kind, memo: 'x' })).decoytoken

const touch = (rookery: TestConsole, url: string | undefined, query = '', init: RequestInit = {}) =>
  fetch(new URL(new URL(url ?? '').pathname + query, rookery.console.tokensUrl), init).then((it) =>
    it.arrayBuffer(),
  )

/** Logs in by PostgreSQL, as the user mapping of a token does, and waits for the refusal. */
async function logIn({ api }: TestConsole, user: string, application: string): Promise<void> {
  const { channels } = await api.tokens.channels()
  const { host, port } = hostPort(channels.find(({ channel }) => channel === 'postgres')?.listens ?? '')
  const socket = connect(port, host)
  socket.write(postgresStart({ user, database: 'payroll', application_name: application }))
  socket.resume()
  await once(socket, 'close')
}

/** The base32 of action and user, as the scripts make it. */
const SELECT_BY_ALICE = 'onqwy2ldmu'
const SELECT_BY_BOB = 'onrg6yq'
const UPDATE_BY_BOB = 'ovrg6yq'

/** In this order, each when the one before is answered. */
async function lookUp({ console }: TestConsole, ...names: readonly string[]): Promise<void> {
  const resolver = new Resolver({ timeout: 60_000, tries: 1 })
  resolver.setServers([console.dnsAddress ?? ''])
  for (const name of names) {
    await resolver.resolve4(name)
    await Promise.allSettled([resolver.resolve6(name)])
  }
}

const events = async ({ api }: TestConsole, ...keys: readonly string[]) =>
  (await api.incidentQueries.all()).incidents
    .flatMap(({ description }) => description.events)
    .map((event) => keys.map((key) => event[key]).join(' '))
    .sort()

describe.each(engines)('look-ups by one resolver (%s)', (engine) => {
  it.each([
    ['os-dir', 'ini'],
    ['wordproc-macro', 'mac'],
  ])('of two users are two events of %s', async (kind, marker) => {
    const rookery = await openTestConsole({ engine })
    const { hostname } = await create(rookery, kind)
    const below = `${marker}.${hostname}`
    await lookUp(rookery, `alice.pc1.corp.${below}`, `bob.pc2.corp.${below}`, `bob.pc1.corp.${below}`)
    // Again, and in a shorter form.
    await lookUp(rookery, below, `alice.pc1.corp.${below}`)
    expect(await events(rookery, 'user', 'computer', 'domain')).toEqual([
      'alice pc1 corp',
      'bob pc1 corp',
      'bob pc2 corp',
    ])
  })

  it('of a user whose name has dots are one event, which shows the longest', async () => {
    const rookery = await openTestConsole({ engine })
    const { hostname } = await create(rookery, 'os-dir')
    const below = `doe.pc1.corp.ini.${hostname}`
    await lookUp(rookery, below, `pc2.corp.ini.${hostname}`, `van.${below}`, `jane.van.${below}`)
    // Neither a shorter form nor another user takes the place of the first.
    await lookUp(rookery, `van.${below}`, `john.${below}`)
    expect(await events(rookery, 'user', 'qname')).toEqual([`jane.van.doe jane.van.${below}`])
  })
})

describe.each(engines)('visits within the time of one (%s)', (engine) => {
  it('are an event for each user and action of SQL Server', async () => {
    const rookery = await openTestConsole({ engine })
    const { hostname } = await create(rookery, 'sql')
    const names = [
      `${SELECT_BY_ALICE}.07`,
      `${SELECT_BY_BOB}.08`,
      `${UPDATE_BY_BOB}.08`,
      `${SELECT_BY_BOB}.31`,
    ]
    for (const name of names) await lookUp(rookery, `${name.slice(-2)}.${hostname}`, `${name}.${hostname}`)
    expect(await events(rookery, 'sql_user', 'sql_action')).toEqual([
      'alice SELECT',
      'bob SELECT',
      'bob UPDATE',
    ])
  })

  it('are an event for each user of PostgreSQL', async () => {
    const rookery = await openTestConsole({ engine })
    const { decoytoken } = await create(rookery, 'sql')
    for (const user of ['alice', 'alice', 'bob', '']) await logIn(rookery, decoytoken, user)
    expect(await events(rookery, 'sql_user')).toEqual(['alice', 'bob'])
  })

  it('are an event for each assertion that a browser posts; the same one again is none', async () => {
    const rookery = await openTestConsole({ engine })
    const { url } = await create(rookery, 'idp-app')
    for (const [name, id] of ['eve 1', 'adam 1', 'eve 1', 'eve 2'].map((it) => it.split(' '))) {
      const xml = `<p:Response xmlns:p="urn:oasis:names:tc:SAML:2.0:protocol"><s:Assertion xmlns:s="urn:oasis:names:tc:SAML:2.0:assertion" ID="_${id}"><s:Subject><s:NameID>${name}@x</s:NameID></s:Subject></s:Assertion></p:Response>`
      const body = new URLSearchParams({ SAMLResponse: Buffer.from(xml).toString('base64') })
      await touch(rookery, url, '', { method: 'POST', body })
    }
    // Events that say the same are listed once.
    expect(await events(rookery, 'identity')).toEqual(['adam@x', 'eve@x'])
    const [incident] = (await rookery.api.incidentQueries.all()).incidents
    expect(incident?.description.events_count).toBe('3')
  })

  it('are an event for each user whose document reports by HTTP', async () => {
    const rookery = await openTestConsole({ engine })
    const { url } = await create(rookery, 'spreadsheet-macro')
    for (const user of ['alice', 'bob', 'alice']) await touch(rookery, url, `?user=${user}&computer=pc1`)
    expect(await events(rookery, 'user', 'computer')).toEqual(['alice pc1', 'bob pc1'])
  })
})
