import { describe, expect, it } from 'vitest'
import { addReceiver, loopbackOutbound } from '../../../test/raise-incident.ts'
import { engines, openTestConsole, type TestConsole } from '../../../test/test-console.ts'
import { openReceiver } from '../../../test/receiver.ts'
import { sshLogin } from '../../../test/touches.ts'

const login = (rookery: TestConsole, srcHost: string, srcPort = 40_000): Promise<void> =>
  rookery.console.ingest.fromConsole(sshLogin({ srcHost, srcPort }))

const found = async ({ api }: TestConsole, filter_str: string): Promise<unknown[]> =>
  (await api.incidentQueries.search({ filter_str })).incidents.map(({ src_host }) => src_host)

const history = async ({ api }: TestConsole, src_ip: string): Promise<unknown[]> =>
  (await api.incidentQueries.sourceHistory({ src_ip })).incidents.map(({ src_host }) => src_host)

describe.each(engines)('an incident that sources share (%s)', (engine) => {
  it('of an IPv6 /64 keeps each address, and is found by it', async () => {
    const rookery = await openTestConsole({ engine })
    for (const host of ['1', 'a', 'b', 'a', '1']) await login(rookery, `2001:db8::${host}`)
    const [incident, ...others] = (await rookery.api.incidentQueries.all({ shrink: false })).incidents
    expect(others).toEqual([])
    expect(incident?.description).toMatchObject({ src_host: '2001:db8::1', events_count: '5' })
    expect(incident?.description.events.map(({ src_host, src_port }) => [src_host, src_port])).toEqual(
      ['1', 'a', 'b', 'a', '1'].map((host) => [`2001:db8::${host}`, 40_000]),
    )
    for (const host of ['1', 'a', 'b']) {
      expect(await found(rookery, `2001:DB8::${host}`)).toEqual(['2001:db8::1'])
      expect(await history(rookery, `2001:db8::${host}`)).toEqual(['2001:db8::1'])
    }
    expect([await found(rookery, '2001:db8::c'), await history(rookery, '2001:db8::c')]).toEqual([[], []])
    const stored = rookery.console.base.reader.selectFrom('incident_source').select(['nth', 'src_host'])
    expect(await stored.orderBy('nth').execute()).toEqual([
      { nth: 1, src_host: '2001:db8::a' },
      { nth: 2, src_host: '2001:db8::b' },
    ])
  })

  it('of many sources keeps who it was, and its alert names the first and counts them', async () => {
    const rookery = await openTestConsole({ engine, world: { outbound: loopbackOutbound() } })
    const address = (n: number): string => `10.0.${n >> 8}.${n & 255}`
    await Promise.all(Array.from({ length: 200 }, (_, n) => login(rookery, address(n))))
    const receiver = await openReceiver()
    await addReceiver(rookery, receiver.url)
    const late = Array.from({ length: 30 }, (_, n) => address(200 + n))
    // One batch, so that all are stored before the alert is written.
    await Promise.all([...late, ...late].map((host) => login(rookery, host)))
    const [alert] = await receiver.tries(1)
    expect(alert?.json['SourceIP']).toBe('many sources')
    expect(alert?.json['Intro']).toContain(`from 30 sources, the first ${late[0]}.`)
    expect(alert?.json['AdditionalDetails']).toEqual(
      expect.arrayContaining([
        ['Sources', '30'],
        ['First sources', `${late.slice(0, 10).join(', ')}, …`],
      ]),
    )
    const { incidents } = await rookery.api.incidentQueries.all({ shrink: false })
    expect(incidents).toHaveLength(201)
    const many = incidents.find(({ description }) => description.src_host === 'many sources')
    expect(many?.description['events_count']).toBe('60')
    expect(many?.description.events.map(({ src_host }) => src_host)).toEqual([...late, ...late])
    expect(await found(rookery, late[29] ?? '')).toEqual(['many sources'])
    expect(await history(rookery, late[29] ?? '')).toEqual(['many sources'])
    // A source that has an incident of its own stays with it.
    expect(await history(rookery, address(7))).toEqual([address(7)])
  })

  it('is left alone by what is done for one of many sources, and is that of its /64', async () => {
    const rookery = await openTestConsole({ engine })
    await login(rookery, '2001:db8::1')
    await login(rookery, '2001:db8::2')
    await Promise.all(Array.from({ length: 200 }, (_, n) => login(rookery, `10.0.0.${n}`)))
    const { api } = rookery
    const left = async (): Promise<unknown[]> =>
      (await api.incidentQueries.unacknowledged()).incidents.map(({ description }) => description.src_host)
    expect(await left()).toContain('many sources')
    await api.incidentActions.acknowledgeMany({ src_host: '10.0.0.199' })
    await api.incidentActions.acknowledgeMany({ src_host: '2001:db8::2' })
    expect(await left()).toContain('many sources')
    expect(await left()).not.toContain('2001:db8::1')
  })
})
