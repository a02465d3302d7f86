// The effect of the ignore lists on real touches. What the lists say of themselves is tested with their operations.
import { describe, expect, it } from 'vitest'
import { engines, openTestConsole } from '../../../../test/test-console.ts'
import { counted, incidents, openTouched, SCANNER, sources } from '../../../../test/touched.ts'
import { sshLogin, subject } from '../../../../test/touches.ts'
import { logtypeOf } from '../../../logtypes.ts'
import { addTokens } from '../../../stores/tokens/store.ts'
import { openIgnoreLists } from './ignore-lists.ts'

describe.each(engines)('a touch from an ignored address (%s)', (engine) => {
  it('raises nothing and is counted, until the list is off', async () => {
    const { rookery, touch } = await openTouched({ engine })
    await rookery.api.consoleIgnoreLists.addIp({ src_ip: SCANNER })
    await touch({ srcHost: SCANNER })
    expect([await sources(rookery), await counted(rookery)]).toEqual([[], { ip: 1 }])
    await rookery.api.consoleIgnoreLists.disableIps()
    await touch({ srcHost: SCANNER })
    expect([await sources(rookery), await counted(rookery)]).toEqual([[`${SCANNER} 1`], { ip: 1 }])
    await rookery.api.consoleIgnoreLists.enableIps()
    await touch({ srcHost: SCANNER })
    expect([await sources(rookery), await counted(rookery)]).toEqual([[`${SCANNER} 1`], { ip: 2 }])
    await rookery.api.consoleIgnoreLists.removeIp({ src_ip: SCANNER })
    await touch({ srcHost: SCANNER })
    expect(await sources(rookery)).toEqual([`${SCANNER} 2`])
  })

  it('to one port raises nothing, to another an incident', async () => {
    const { rookery, touch } = await openTouched({ engine })
    await rookery.api.consoleIgnoreLists.addIp({ src_ip: SCANNER, dst_port: 22 })
    await touch({ srcHost: SCANNER, dstPort: 22 }, { srcHost: SCANNER, dstPort: 2222 })
    expect(await sources(rookery)).toEqual([`${SCANNER} 1`])
  })

  it('of a kind that its entry names raises nothing; another kind raises an incident', async () => {
    const { rookery, touch } = await openTouched({ engine })
    await rookery.api.consoleIgnoreLists.replaceIps({ whitelist_ips: `${SCANNER} 3000 22003 # our scanner` })
    const kinds = ['3000', '22003', '3001'] as const
    await touch(...kinds.map((logtype) => ({ srcHost: SCANNER, logtype, instance: 'http' })))
    expect((await incidents(rookery)).map(({ logtype }) => logtype)).toEqual(['3001'])
    expect(await counted(rookery)).toEqual({ ip: 2 })
    await expect
      .poll(async () => (await rookery.api.ignoredTouches.list({})).ignored_touches.map((it) => it.entry))
      .toEqual(Array(2).fill(`${SCANNER} 3000 22003 # our scanner`))
  })

  it('of a kind that the entry of its Flock names raises nothing, to that port alone', async () => {
    const { rookery, touch } = await openTouched({ engine })
    const flock_id = 'flock:default'
    await rookery.api.flockIgnoreLists.save({ flock_id, whitelist: '192.0.2.0/24:80 3000' })
    await rookery.api.flockIgnoreLists.enable({ flock_id })
    const load = { srcHost: SCANNER, logtype: '3000', instance: 'http' }
    await touch({ ...load, dstPort: 80 }, { ...load, dstPort: 8080 }, { srcHost: SCANNER, dstPort: 80 })
    expect((await incidents(rookery)).map((it) => `${it.logtype} ${it.events_count}`).sort()).toEqual([
      '3000 1',
      '4002 1',
    ])
  })

  it('of a token raises nothing, too', async () => {
    const rookery = await openTestConsole({ engine })
    const made = await rookery.api.tokenFactory.create({ memo: 'm', kind: 'http' })
    const { url } = made.decoytoken
    await rookery.api.consoleIgnoreLists.replaceIps({ whitelist_ips: '127.0.0.0/8' })
    expect((await fetch(url)).status).toBe(200)
    expect(await sources(rookery)).toEqual([])
    await rookery.api.consoleIgnoreLists.replaceIps({
      whitelist_ips: `127.0.0.1:${Number(new URL(url).port) + 1}`,
    })
    expect((await fetch(url)).status).toBe(200)
    expect(await sources(rookery)).toEqual(['127.0.0.1 1'])
  })
})

describe.each(engines)('a port scan (%s)', (engine) => {
  it('by an address whose scans are noise is ignored; anything else of it counts', async () => {
    const rookery = await openTestConsole({ engine })
    const lists = openIgnoreLists(rookery.console.base.config)
    const verdict = async (srcHost: string, logtype: string): Promise<unknown> => {
      const { touch } = sshLogin({ srcHost, logtype, instance: 'portscan' })
      const arrival = { touch, subject, logtype: logtypeOf(logtype), receivedAt: touch.at, late: false }
      return (await lists()).match(arrival, () => false)
    }
    await rookery.api.consoleIgnoreLists.replaceSourcePortIps({
      ignorelist_src_port_ips: '192.0.2.0/28 # scanners\n2001:db8::/64',
    })
    for (const logtype of ['5001', '5003', '5004', '5005', '5006', '5007', '5008'])
      expect(await verdict(SCANNER, logtype)).toBe('src_port')
    expect(await verdict('2001:db8::9', '5003')).toBe('src_port')
    expect(await verdict(SCANNER, '4002')).toBeUndefined()
    expect(await verdict(SCANNER, '5000')).toBeUndefined()
    expect(await verdict('192.0.2.16', '5003')).toBeUndefined()
    await rookery.api.consoleIgnoreLists.disableSourcePorts()
    expect(await verdict(SCANNER, '5003')).toBeUndefined()
  })
})

describe.each(engines)('a touch that an annotation explains (%s)', (engine) => {
  const WILDFIRE = '70.42.131.106'
  const TOKEN = 'pdfreadertoken0123456789a'

  async function openPlanted() {
    const rookery = await openTestConsole({ engine })
    const { writer, world } = rookery.console.base
    const plant = (number: number, token_id: string, kind: string) => ({
      token_id,
      number,
      kind,
      memo: `a ${kind} token`,
      flock_id: 'flock:default',
      settings: '{}',
      renders: '{}',
      url: '',
      hostname: '',
      issued: '',
      peer_key: '',
      mysql: '',
      postgres: '',
      enabled: 1,
      quiet_sources: '',
      first_only: 0,
      placement: '',
      placement_by: '',
      placement_at: 0,
      created_at: world.clock.now(),
      created_by: '',
      factory_key_id: '',
      updated_id: number,
      triggered_count: 0,
      touched_at: 0,
    })
    await writer.write((tx) => addTokens(tx, [plant(1, TOKEN, 'pdf-reader'), plant(2, 'otherkind', 'dns')]))
    const visit = (srcHost: string, tokenId = TOKEN) =>
      rookery.console.ingest.fromToken({
        tokenId,
        visit: { channel: 'http', method: 'GET', path: '/', headers: {}, srcHost, dstPort: 80 },
        srcPort: 0,
        dstHost: '127.0.0.1',
        receivedAt: Date.now(),
      })
    return { rookery, visit }
  }

  it('says so, and raises nothing once the annotation is ignored', async () => {
    const { rookery, visit } = await openPlanted()
    await visit(WILDFIRE)
    const [first] = await incidents(rookery)
    expect(first?.matched_annotations).toEqual({
      palo_alto_pdf: [
        expect.stringContaining('WildFire') as string,
        expect.stringMatching(/^https:/) as string,
      ],
    })
    await rookery.api.consoleIgnoreLists.ignoreAnnotation({ annotation: 'palo_alto_pdf' })
    await visit('70.42.131.107')
    expect([await sources(rookery), await counted(rookery)]).toEqual([[`${WILDFIRE} 1`], { annotation: 1 }])
    await rookery.api.consoleIgnoreLists.disableAnnotations()
    await visit('70.42.131.108')
    expect(await sources(rookery)).toHaveLength(2)
    await rookery.api.consoleIgnoreLists.enableAnnotations()
    await rookery.api.consoleIgnoreLists.removeAnnotation({ annotation: 'palo_alto_pdf' })
    await visit('70.42.131.109')
    expect(await sources(rookery)).toHaveLength(3)
  })

  it('is one from the networks of that scanner, to a token that it is known to touch, and no other', async () => {
    const { rookery, visit } = await openPlanted()
    await rookery.api.consoleIgnoreLists.ignoreAnnotation({ annotation: 'm365_defender_pdf' })
    await visit(WILDFIRE)
    await visit('203.0.113.5')
    await visit('40.94.34.52', 'otherkind')
    await visit('40.94.34.52')
    await visit('2a01:111:f403::7')
    expect(await sources(rookery)).toEqual(['203.0.113.5 1', '40.94.34.52 1', `${WILDFIRE} 1`])
    const matched = (await incidents(rookery)).map((it) => Object.keys(it.matched_annotations).join())
    expect(matched.sort()).toEqual(['', '', 'palo_alto_pdf'])
    expect(await counted(rookery)).toEqual({ annotation: 2 })
  })
})
