// The effect of the ignore lists on real touches. What the lists say of themselves is tested with their operations.
import { describe, expect, it } from 'vitest'
import { engines, openTestConsole } from '../../../test/test-console.ts'
import { counted, incidents, openTouched, SCANNER, sources, type Touched } from '../../../test/touched.ts'
import { addTokens } from '../../stores/tokens/store.ts'

describe.each(engines)('a touch from an ignored address (%s)', (engine) => {
  it('raises nothing and is counted, until the list is off', async () => {
    const { house, touch } = await openTouched({ engine })
    await house.post('/settings/whitelist_ip_port', { src_ip: SCANNER })
    await touch({ srcHost: SCANNER })
    expect([await sources(house), await counted(house)]).toEqual([[], { ip: 1 }])
    await house.post('/settings/whitelisting/disable')
    await touch({ srcHost: SCANNER })
    expect([await sources(house), await counted(house)]).toEqual([[`${SCANNER} 1`], { ip: 1 }])
    await house.post('/settings/whitelisting/enable')
    await touch({ srcHost: SCANNER })
    expect([await sources(house), await counted(house)]).toEqual([[`${SCANNER} 1`], { ip: 2 }])
    await house.post('/settings/whitelisting/remove_whitelist_ip', { src_ip: SCANNER })
    await touch({ srcHost: SCANNER })
    expect(await sources(house)).toEqual([`${SCANNER} 2`])
  })

  it('to one port raises nothing, to another an incident', async () => {
    const { house, touch } = await openTouched({ engine })
    await house.post('/settings/whitelist_ip_port', { src_ip: SCANNER, dst_port: 22 })
    await touch({ srcHost: SCANNER, dstPort: 22 }, { srcHost: SCANNER, dstPort: 2222 })
    expect(await sources(house)).toEqual([`${SCANNER} 1`])
  })

  it('of a token raises nothing, too', async () => {
    const house = await openTestConsole({ engine })
    const made = await house.post('/decoytoken/factory/create', { memo: 'm', kind: 'http' })
    const { url } = (made.json as unknown as { decoytoken: { url: string } }).decoytoken
    await house.post('/settings/whitelisting/whitelist_ips', { whitelist_ips: '127.0.0.0/8' })
    expect((await fetch(url)).status).toBe(200)
    expect(await sources(house)).toEqual([])
    await house.post('/settings/whitelisting/whitelist_ips', {
      whitelist_ips: `127.0.0.1:${Number(new URL(url).port) + 1}`,
    })
    expect((await fetch(url)).status).toBe(200)
    expect(await sources(house)).toEqual(['127.0.0.1 1'])
  })
})

describe.each(engines)('a port scan (%s)', (engine) => {
  it('by an address whose scans are noise raises nothing; anything else of it counts', async () => {
    const { house, touch } = await openTouched({ engine })
    const scan = (srcHost: string, logtype: string): Touched => ({ srcHost, logtype, instance: 'portscan' })
    await house.post('/settings/ignorelist_src_port', {
      ignorelist_src_port_ips: '192.0.2.0/28 # scanners\n2001:db8::/64',
    })
    const SCANS = ['5001', '5003', '5004', '5005', '5006', '5007', '5008']
    await touch(...SCANS.map((it) => scan(SCANNER, it)), scan('2001:db8::9', '5003'))
    expect([await sources(house), await counted(house)]).toEqual([[], { src_port: 8 }])
    await touch({ srcHost: SCANNER }, scan('192.0.2.16', '5003'), scan(SCANNER, '5000'))
    expect(await sources(house)).toEqual(['192.0.2.16 1', '192.0.2.7 1', '192.0.2.7 1'])
    await house.post('/settings/ignorelist_src_port/disable')
    await touch(scan(SCANNER, '5003'))
    expect(await sources(house)).toHaveLength(4)
  })
})

describe.each(engines)('a touch that an annotation explains (%s)', (engine) => {
  const WILDFIRE = '70.42.131.106'
  const TOKEN = 'pdfreadertoken0123456789a'

  async function openPlanted() {
    const house = await openTestConsole({ engine })
    const { writer, world } = house.console.base
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
      enabled: 1,
      created_at: world.clock.now(),
      created_by: '',
      factory_key_id: '',
      updated_id: number,
      triggered_count: 0,
    })
    await writer.write((tx) => addTokens(tx, [plant(1, TOKEN, 'pdf-reader'), plant(2, 'otherkind', 'http')]))
    const visit = (srcHost: string, tokenId = TOKEN) =>
      house.console.ingest.fromToken({
        tokenId,
        visit: { channel: 'http', method: 'GET', path: '/', headers: {}, srcHost, dstPort: 80 },
        srcPort: 0,
        dstHost: '127.0.0.1',
        receivedAt: Date.now(),
      })
    return { house, visit }
  }

  it('says so, and raises nothing once the annotation is ignored', async () => {
    const { house, visit } = await openPlanted()
    await visit(WILDFIRE)
    const [first] = await incidents(house)
    expect(first?.matched_annotations).toEqual({
      palo_alto_pdf: [
        expect.stringContaining('WildFire') as string,
        expect.stringMatching(/^https:/) as string,
      ],
    })
    await house.post('/settings/ignored_annotations/ignore', { annotation: 'palo_alto_pdf' })
    await visit('70.42.131.107')
    expect([await sources(house), await counted(house)]).toEqual([[`${WILDFIRE} 1`], { annotation: 1 }])
    await house.post('/settings/ignored_annotations/disable')
    await visit('70.42.131.108')
    expect(await sources(house)).toHaveLength(2)
    await house.post('/settings/ignored_annotations/enable')
    await house.call('DELETE', '/settings/ignored_annotations/remove', { annotation: 'palo_alto_pdf' })
    await visit('70.42.131.109')
    expect(await sources(house)).toHaveLength(3)
  })

  it('is one from the networks of that scanner, to a token that it is known to touch, and no other', async () => {
    const { house, visit } = await openPlanted()
    await house.post('/settings/ignored_annotations/ignore', { annotation: 'm365_defender_pdf' })
    await visit(WILDFIRE)
    await visit('203.0.113.5')
    await visit('40.94.34.52', 'otherkind')
    await visit('40.94.34.52')
    await visit('2a01:111:f403::7')
    expect(await sources(house)).toEqual(['203.0.113.5 1', '40.94.34.52 1', `${WILDFIRE} 1`])
    const matched = (await incidents(house)).map((it) => Object.keys(it.matched_annotations).join())
    expect(matched.sort()).toEqual(['', '', 'palo_alto_pdf'])
    expect(await counted(house)).toEqual({ annotation: 2 })
  })
})
