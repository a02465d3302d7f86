// A request that reports visits elsewhere: the log of a domain controller, sent by HTTP or by look-ups.
import { Resolver } from 'node:dns/promises'
import { describe, expect, it } from 'vitest'
import { manualClock } from '../../../../test/manual-clock.ts'
import { engines, openTestConsole, type TestConsole } from '../../../../test/test-console.ts'

const create = async ({ api }: TestConsole) =>
  (await api.tokens.create({ kind: 'directory-login', memo: 'dc1', tokened_usernames: 'alice, svc_backup' }))
    .decoytoken

const logon = (values: object = {}): string =>
  JSON.stringify({ EventID: 4625, TargetUserName: 'AD\\alice', IpAddress: '192.0.2.1', ...values })

async function post(url: string | undefined, ...lines: readonly string[]): Promise<void> {
  const response = await fetch(url ?? '', { method: 'POST', body: lines.join('\n') })
  expect(response.status).toBe(200)
  await response.arrayBuffer()
}

const events = async ({ api }: TestConsole) =>
  (await api.incidentQueries.all()).incidents
    .flatMap(({ description }) => description.events.map((event) => [description.src_host, event] as const))
    .map(([source, { src_host, event_name, username, outcome }]) => {
      expect(src_host).toBe(source)
      return [source, event_name, username, outcome].join(' ')
    })
    .sort()

const touchesOf = async ({ api }: TestConsole, decoytoken: string) => {
  const [{ token }, { history }] = [
    await api.tokens.fetch({ decoytoken }),
    await api.tokens.history({ decoytoken }),
  ]
  return { count: token.triggered_count, quiet: history.filter((it) => it.quiet).length }
}

describe.each(engines)('a request that reports several logons (%s)', (engine) => {
  it('raises each with its own source, stored before the answer', async () => {
    const rookery = await openTestConsole({ engine })
    const { url, decoytoken } = await create(rookery)
    await post(
      url,
      logon(),
      'no event',
      logon({ EventID: 4624, IpAddress: '2001:db8::2' }),
      logon({ TargetUserName: 'SVC_BACKUP@AD.EXAMPLE', IpAddress: '::ffff:192.0.2.3' }),
      logon({ TargetUserName: 'PC-17$' }),
      logon({ TargetUserName: 'bob' }),
      logon({ IpAddress: 'forged' }),
    )
    expect(await events(rookery)).toEqual([
      ' 4625 alice failed',
      '192.0.2.1 4625 alice failed',
      '192.0.2.3 4625 svc_backup failed',
      '2001:db8::2 4624 alice succeeded',
    ])
    expect(await touchesOf(rookery, decoytoken)).toEqual({ count: 4, quiet: 0 })
    const [incident] = (await rookery.api.incidentQueries.all()).incidents.filter(
      ({ description }) => description.src_host === '',
    )
    expect(incident?.description.events).toEqual([
      expect.objectContaining({ src_host_left_out: 'forged is no IP address', reported_by: '127.0.0.1' }),
    ])
  })

  it('is one event for a user, a source and an outcome within a minute, from each controller', async () => {
    const clock = manualClock()
    const rookery = await openTestConsole({ engine, world: { clock } })
    const { url } = await create(rookery)
    await post(url, logon(), logon({ EventID: 4771 }))
    clock.advance(59_000)
    await post(url, logon(), logon({ EventID: 4624 }))
    expect(await events(rookery)).toEqual(['192.0.2.1 4624 alice succeeded', '192.0.2.1 4625 alice failed'])
    clock.advance(1_000)
    await post(url, logon())
    expect(await events(rookery)).toHaveLength(3)
  })

  it('keeps nothing of other users, and shows in the history alone who opens the address', async () => {
    const rookery = await openTestConsole({ engine })
    const { url, decoytoken } = await create(rookery)
    await post(url, logon({ TargetUserName: 'bob' }), logon({ TargetUserName: 'ALICE$' }))
    await (await fetch(url ?? '')).arrayBuffer()
    await expect.poll(() => touchesOf(rookery, decoytoken)).toEqual({ count: 0, quiet: 1 })
    expect(await events(rookery)).toEqual([])
  })

  it('fires itself where nothing of it can be read, and is not read for a token that is disabled', async () => {
    const rookery = await openTestConsole({ engine })
    const { url, decoytoken } = await create(rookery)
    await post(url, '\u0000<Event/>')
    const [incident] = (await rookery.api.incidentQueries.all()).incidents
    expect(incident?.description.events).toEqual([expect.objectContaining({ body_unread: true })])
    await rookery.api.tokens.disable({ decoytoken })
    await post(url, logon())
    expect((await touchesOf(rookery, decoytoken)).count).toBe(1)
  })

  it('may be a look-up, which is a replay when its id comes again', async () => {
    const clock = manualClock()
    const rookery = await openTestConsole({ engine, world: { clock } })
    const { hostname, decoytoken } = await create(rookery)
    const resolver = new Resolver({ timeout: 60_000, tries: 1 })
    resolver.setServers([rookery.console.dnsAddress ?? ''])
    const nameOf = (event: string, id: string): string =>
      `${event}.u${Buffer.from('alice').toString('hex')}.ac0000201.w.d.t3.s0x0.${id}.logon.${hostname}`
    const labels = nameOf('4624', 'abcdefgh').split('.')
    // As a resolver with QNAME minimisation asks.
    for (let at = 9; at >= 0; at--) await resolver.resolve4(labels.slice(at).join('.'))
    await resolver.resolve4(nameOf('4768', 'bcdefghi'))
    expect(await events(rookery)).toEqual(['192.0.2.1 4624 alice succeeded'])
    clock.advance(86_400_000)
    for (const name of [nameOf('4624', 'abcdefgh'), nameOf('4768', 'bcdefghi')]) await resolver.resolve4(name)
    expect(await touchesOf(rookery, decoytoken)).toEqual({ count: 1, quiet: 0 })
    // A logon right after a replay counts.
    await resolver.resolve4(nameOf('4768', 'cdefghij'))
    expect(await events(rookery)).toEqual([
      '192.0.2.1 4624 alice succeeded',
      '192.0.2.1 4768 alice succeeded',
    ])
  })
})
