import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { engines, openTestConsole, type TestConsole } from '../../../test/test-console.ts'

const SOURCE = '192.0.2.7'

interface Asked {
  readonly is_ip_whitelisted: boolean
  readonly is_whitelist_enabled: boolean
}
const ask = async (house: TestConsole, src_ip: string, dst_port?: number): Promise<Asked> => {
  const params = { src_ip, ...(dst_port !== undefined && { dst_port }) }
  return (await house.get('/settings/is_ip_ignored', params)).json as unknown as Asked
}
const isIgnored = async (house: TestConsole, src_ip: string, dst_port?: number): Promise<boolean> =>
  (await ask(house, src_ip, dst_port)).is_ip_whitelisted

describe.each(engines)('the console list of ignored addresses (%s)', (engine) => {
  it('takes an address, a range, or either with a port', async () => {
    const house = await openTestConsole({ engine })
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
    expect(alias.json).toEqual({
      result: 'success',
      is_ip_ignored: true,
      is_ip_whitelisted: true,
      is_whitelist_enabled: true,
      matched_entry: SOURCE,
      matched_list: 'console',
    })
    expect(await ask(house, '198.51.100.9', 22)).toMatchObject({ matched_entry: '198.51.100.0/24:22' })
    expect(await ask(house, '198.51.100.9')).toMatchObject({
      is_ip_ignored: false,
      matched_entry: '',
      matched_list: '',
    })
  })

  it('is replaced as a whole, keeps comments, and can be cleared', async () => {
    const house = await openTestConsole({ engine })
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
    const house = await openTestConsole({ engine })
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
    const house = await openTestConsole({ engine })
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
    const house = await openTestConsole({ engine })
    await house.post('/settings/whitelist_ip_port', { src_ip: SOURCE })
    await house.post('/settings/whitelisting/disable')
    expect(await ask(house, SOURCE)).toMatchObject({ is_ip_whitelisted: true, is_whitelist_enabled: false })
    await house.post('/settings/whitelisting/enable')
    expect(await ask(house, SOURCE)).toMatchObject({ is_ip_whitelisted: true, is_whitelist_enabled: true })
  })
})

describe.each(engines)('the console list of ignored host names (%s)', (engine) => {
  const replace = (house: TestConsole, hostnames: string) =>
    house.post('/settings/ignore_hostnames', { hostnames })
  const isIgnored = async (house: TestConsole, hostname: string, more = {}): Promise<unknown[]> => {
    const { json } = await house.get('/settings/is_hostname_whitelisted', { hostname, ...more })
    return [json['is_hostname_whitelisted'], json['is_whitelist_enabled']]
  }

  it('has a name and every name below it, also while it is off', async () => {
    const house = await openTestConsole({ engine })
    await replace(house, '# ours\nScanners.Example.com\nprinter # in the hall')
    expect(await isIgnored(house, 'scanners.example.com')).toEqual([true, true])
    expect(await isIgnored(house, 'a.b.scanners.EXAMPLE.com.', { dst_port: 22 })).toEqual([true, true])
    expect(await isIgnored(house, 'myscanners.example.com')).toEqual([false, true])
    expect(await isIgnored(house, 'example.com')).toEqual([false, true])
    await house.post('/settings/ignore_hostnames/disable')
    expect(await isIgnored(house, 'printer')).toEqual([true, false])
    await house.post('/settings/ignore_hostnames/enable')
    await house.post('/settings/ignore_hostnames', { clear: true })
    expect(await isIgnored(house, 'printer')).toEqual([false, true])
  })

  it('is not replaced with a wrong line, which is named', async () => {
    const house = await openTestConsole({ engine })
    await replace(house, 'printer')
    for (const wrong of ['192.0.2.7', '*.example.com', 'two names', 'https://example.com']) {
      const { status, json } = await replace(house, `example.com\n${wrong}`)
      expect([status, json['details']]).toEqual([
        400,
        { hostnames: expect.stringContaining(JSON.stringify(wrong)) as string },
      ])
    }
    expect((await house.post('/settings/ignore_hostnames')).status).toBe(400)
    expect((await house.get('/settings/is_hostname_whitelisted', { hostname: 'a b' })).status).toBe(400)
    expect([await isIgnored(house, 'printer'), await isIgnored(house, 'example.com')]).toEqual([
      [true, true],
      [false, true],
    ])
  })
})

describe.each(engines)('the console list of port scanners (%s)', (engine) => {
  it('takes addresses and ranges, and no ports', async () => {
    const house = await openTestConsole({ engine })
    const replace = (ignorelist_src_port_ips: string) =>
      house.post('/settings/ignorelist_src_port', { ignorelist_src_port_ips })
    expect((await replace('# ours\n192.0.2.20\n2001:db8::/64 # lab')).status).toBe(200)
    for (const wrong of ['192.0.2.20:22', ':443', 'printer', '10.0.0.0/40']) {
      const { status, json } = await replace(wrong)
      expect([status, json['details']]).toEqual([
        400,
        { ignorelist_src_port_ips: expect.stringContaining(JSON.stringify(wrong)) as string },
      ])
    }
    const info = async (): Promise<unknown> => {
      const { json } = await house.get('/flock/settings/whitelisting/info', { flock_id: 'flock:default' })
      return (json['whitelisting_info'] as unknown as { src_port_ignorelisting: unknown })
        .src_port_ignorelisting
    }
    expect(await info()).toEqual({ enabled: true, src_ports: '# ours\n192.0.2.20,2001:db8::/64 # lab' })
    await house.post('/settings/ignorelist_src_port', { clear: true })
    await house.post('/settings/ignorelist_src_port/disable')
    expect(await info()).toEqual({ enabled: false, src_ports: '' })
  })
})

describe.each(engines)('the console list of ignored annotations (%s)', (engine) => {
  it('takes the annotations there are, gives them back, and lets them go', async () => {
    const house = await openTestConsole({ engine })
    const list = async (): Promise<unknown> =>
      (await house.get('/settings/ignored_annotations')).json['ignored_annotations']
    const is = async (annotation: string): Promise<unknown[]> => {
      const { json } = await house.get('/settings/ignored_annotations/is_annotation_ignored', { annotation })
      return [json['ignored'], json['is_enabled']]
    }
    const ignore = (annotation: string) => house.post('/settings/ignored_annotations/ignore', { annotation })
    const remove = (annotation: string) =>
      house.call('DELETE', '/settings/ignored_annotations/remove', { annotation })
    expect([await list(), await is('palo_alto_pdf')]).toEqual([[], [false, true]])
    expect((await ignore('palo_alto_pdf')).json['message']).toBe('Annotation successfully ignored')
    await ignore('palo_alto_pdf')
    const text = expect.any(String) as string
    expect(await list()).toEqual([{ kb_link: text, name: 'palo_alto_pdf', nice_name: text, text }])
    expect([await is('palo_alto_pdf'), await is('m365_defender_pdf')]).toEqual([
      [true, true],
      [false, true],
    ])
    await house.post('/settings/ignored_annotations/disable')
    expect(await is('palo_alto_pdf')).toEqual([true, false])
    expect((await remove('palo_alto_pdf')).json['message']).toBe('Annotation removed successfully')
    expect([(await remove('palo_alto_pdf')).status, await list()]).toEqual([404, []])
    for (const answer of [await ignore('any_scanner'), await remove('any_scanner')]) {
      const details = { annotation: expect.stringContaining('palo_alto_pdf, m365_defender_pdf') as string }
      expect([answer.status, answer.json['details']]).toEqual([400, details])
    }
  })
})

describe('any text as a list', () => {
  it('is either kept or refused with a reason', async () => {
    const house = await openTestConsole()
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
