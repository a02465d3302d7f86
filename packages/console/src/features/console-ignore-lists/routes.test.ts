import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { engines, openHouse, type House } from '../../../test/house.ts'
import { sshLogin } from '../../../test/touches.ts'

const NODE = '0123456789abcdef'
const SOURCE = '192.0.2.7'

interface Asked {
  readonly is_ip_whitelisted: boolean
  readonly is_whitelist_enabled: boolean
}
const ask = async (house: House, src_ip: string, dst_port?: number): Promise<Asked> => {
  const params = { src_ip, ...(dst_port !== undefined && { dst_port }) }
  return (await house.get('/settings/is_ip_ignored', params)).json as unknown as Asked
}
const isIgnored = async (house: House, src_ip: string, dst_port?: number): Promise<boolean> =>
  (await ask(house, src_ip, dst_port)).is_ip_whitelisted

describe.each(engines)('the console list of ignored addresses (%s)', (engine) => {
  it('takes an address, a range, or either with a port', async () => {
    const house = await openHouse({ engine })
    const add = (src_ip: string, dst_port?: number) =>
      house.post('/settings/whitelist_ip_port', { src_ip, ...(dst_port !== undefined && { dst_port }) })
    expect((await add(SOURCE)).json['message']).toBe('Whitelist added')
    await add('198.51.100.0/24', 22)
    await add('2001:DB8:0::7', 443)
    await add('2001:db8:1::/48', 80)
    expect(await isIgnored(house, SOURCE)).toBe(true)
    expect(await isIgnored(house, SOURCE, 80)).toBe(true)
    expect(await isIgnored(house, '198.51.100.9')).toBe(false)
    expect(await isIgnored(house, '198.51.100.9', 22)).toBe(true)
    expect(await isIgnored(house, '198.51.100.9', 23)).toBe(false)
    expect(await isIgnored(house, '2001:db8::7', 443)).toBe(true)
    expect(await isIgnored(house, '2001:db8:1::5', 80)).toBe(true)
    expect(await isIgnored(house, '2001:db8:1::5', 81)).toBe(false)
    const alias = await house.get('/settings/is_ip_whitelisted', { src_ip: SOURCE })
    expect(alias.json).toEqual({ result: 'success', is_ip_whitelisted: true, is_whitelist_enabled: true })
  })

  it('is replaced as a whole, keeps comments, and can be cleared', async () => {
    const house = await openHouse({ engine })
    const replace = (whitelist_ips: string) =>
      house.post('/settings/whitelisting/whitelist_ips', { whitelist_ips })
    await replace('# our scanners\r\n192.0.2.7 # the old one\n\n10.0.0.0/8\n')
    expect([await isIgnored(house, SOURCE), await isIgnored(house, '10.9.9.9')]).toEqual([true, true])
    await replace('192.0.2.8:22')
    expect([await isIgnored(house, SOURCE), await isIgnored(house, '192.0.2.8', 22)]).toEqual([false, true])
    await house.post('/settings/whitelisting/whitelist_ips', { clear: true })
    expect(await isIgnored(house, '192.0.2.8', 22)).toBe(false)
  })

  it('a wrong line is named, and nothing is saved', async () => {
    const house = await openHouse({ engine })
    await house.post('/settings/whitelist_ip_port', { src_ip: SOURCE })
    for (const wrong of ['10.0.0.0/33', 'router.example', '10.0.0.1:70000', ':443']) {
      const { status, json } = await house.post('/settings/whitelisting/whitelist_ips', {
        whitelist_ips: `10.0.0.1\n${wrong}`,
      })
      expect([status, json['details']]).toEqual([
        400,
        { whitelist_ips: expect.stringContaining(JSON.stringify(wrong)) as string },
      ])
    }
    for (const params of [{}, { whitelist_ips: '' }, { clear: false }, { whitelist_ips: '\n\n' }]) {
      expect((await house.post('/settings/whitelisting/whitelist_ips', params)).status).toBe(400)
    }
    for (const src_ip of ['10.0.0.1:22', '10.0.0.1 # me', '10.0.0.1\n10.0.0.2', 'nobody']) {
      expect((await house.post('/settings/whitelist_ip_port', { src_ip })).status).toBe(400)
    }
    expect((await house.get('/settings/is_ip_ignored', { src_ip: '10.0.0.0/8' })).status).toBe(400)
    expect([await isIgnored(house, SOURCE), await isIgnored(house, '10.0.0.1')]).toEqual([true, false])
  })

  it('removing an address removes every entry of it and no other', async () => {
    const house = await openHouse({ engine })
    await house.post('/settings/whitelisting/whitelist_ips', {
      whitelist_ips: '192.0.2.7:22\n192.0.2.70\n# stays\n192.0.2.7 # all\n[2001:db8::1]:80\n192.0.2.7:80',
    })
    const remove = (src_ip: string) => house.post('/settings/whitelisting/remove_whitelist_ip', { src_ip })
    expect((await remove(SOURCE)).status).toBe(200)
    expect((await remove('2001:DB8:0:0::1')).status).toBe(200)
    for (const port of [undefined, 22, 80]) expect(await isIgnored(house, SOURCE, port)).toBe(false)
    expect(await isIgnored(house, '2001:db8::1', 80)).toBe(false)
    expect(await isIgnored(house, '192.0.2.70')).toBe(true)
    expect((await remove(SOURCE)).status).toBe(404)
  })

  it('tells membership also while it is off', async () => {
    const house = await openHouse({ engine })
    await house.post('/settings/whitelist_ip_port', { src_ip: SOURCE })
    await house.post('/settings/whitelisting/disable')
    expect(await ask(house, SOURCE)).toMatchObject({ is_ip_whitelisted: true, is_whitelist_enabled: false })
    await house.post('/settings/whitelisting/enable')
    expect(await ask(house, SOURCE)).toMatchObject({ is_ip_whitelisted: true, is_whitelist_enabled: true })
  })
})

describe.each(engines)('a touch from an ignored address (%s)', (engine) => {
  /** An SSH touch of a registered Bird from SOURCE; answers how many incidents there are then. */
  async function openTouched() {
    const house = await openHouse({ engine })
    const { console: it } = house
    await it.base.writer.write((tx) =>
      tx.insertMany('bird', [
        {
          node_id: NODE,
          public_key: NODE,
          device_id_hash: NODE,
          state: 'registered',
          flock_id: 'flock:default',
          name: 'nas-02',
          first_seen_at: 1,
          queued_at: 1,
          last_seen_at: 1,
          updated_at: 1,
        },
      ]),
    )
    let seq = 0
    const touch = async (dstPort: number): Promise<number> => {
      const { touch } = sshLogin({ nodeId: NODE, srcHost: SOURCE, dstPort, instance: `port ${++seq}` })
      await it.ingest.fromBird({
        nodeId: NODE,
        spoolId: 's',
        receivedAt: Date.now(),
        events: [{ seq, touch }],
      })
      const { incidents } = (await house.get('/incidents/all')).json as unknown as { incidents: unknown[] }
      return incidents.length
    }
    const counted = async (): Promise<string | undefined> => {
      const text = await (await fetch(`${it.apiUrl ?? ''}/metrics`)).text()
      return /^rookery_touches_ignored_total\{list="ip"\} (\d+)$/m.exec(text)?.[1]
    }
    return { house, touch, counted }
  }

  it('raises nothing and is counted, until the list is off', async () => {
    const { house, touch, counted } = await openTouched()
    await house.post('/settings/whitelist_ip_port', { src_ip: SOURCE })
    expect([await touch(22), await counted()]).toEqual([0, '1'])
    await house.post('/settings/whitelisting/disable')
    expect([await touch(22), await counted()]).toEqual([1, '1'])
    await house.post('/settings/whitelisting/enable')
    expect([await touch(22), await counted()]).toEqual([1, '2'])
    await house.post('/settings/whitelisting/remove_whitelist_ip', { src_ip: SOURCE })
    expect(await touch(22)).toBe(2)
  })

  it('to one port raises nothing, to another an incident', async () => {
    const { house, touch } = await openTouched()
    await house.post('/settings/whitelist_ip_port', { src_ip: SOURCE, dst_port: 22 })
    expect(await touch(22)).toBe(0)
    expect(await touch(2222)).toBe(1)
  })

  it('of a token raises nothing, too', async () => {
    const house = await openHouse({ engine })
    const made = await house.post('/decoytoken/factory/create', { memo: 'm', kind: 'http' })
    const { url } = (made.json as unknown as { decoytoken: { url: string } }).decoytoken
    await house.post('/settings/whitelisting/whitelist_ips', { whitelist_ips: '127.0.0.0/8' })
    expect((await fetch(url)).status).toBe(200)
    expect(
      ((await house.get('/incidents/all')).json as unknown as { incidents: unknown[] }).incidents,
    ).toEqual([])
    await house.post('/settings/whitelisting/whitelist_ips', {
      whitelist_ips: `127.0.0.1:${Number(new URL(url).port) + 1}`,
    })
    expect((await fetch(url)).status).toBe(200)
    expect(
      ((await house.get('/incidents/all')).json as unknown as { incidents: unknown[] }).incidents,
    ).toHaveLength(1)
  })
})

describe('any text as a list', () => {
  it('is either kept or refused with a reason', async () => {
    const house = await openHouse()
    const line = fc.oneof(
      fc.ipV4(),
      fc.ipV6(),
      fc.string(),
      fc.tuple(fc.ipV4(), fc.nat(70_000)).map((it) => it.join(':')),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 4 }), async (lines) => {
        const { status } = await house.post('/settings/whitelisting/whitelist_ips', {
          whitelist_ips: lines.join('\n'),
        })
        expect([200, 400]).toContain(status)
        expect((await house.get('/settings/is_ip_ignored', { src_ip: SOURCE })).status).toBe(200)
      }),
      { numRuns: 60 },
    )
  })
})
