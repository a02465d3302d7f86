import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { engines, openTestConsole, ownTestConsole, type TestConsole } from '../../../test/test-console.ts'

const SOURCE = '192.0.2.7'

const ask = (rookery: TestConsole, src_ip: string, dst_port?: number) => {
  const params = { src_ip, ...(dst_port !== undefined && { dst_port }) }
  return rookery.api.consoleIgnoreLists.isIpIgnored(params)
}
const isIgnored = async (rookery: TestConsole, src_ip: string, dst_port?: number): Promise<boolean> =>
  (await ask(rookery, src_ip, dst_port)).is_ip_whitelisted

describe.each(engines)('the console list of ignored addresses (%s)', (engine) => {
  const rookery = ownTestConsole({ engine })

  it('takes an address, a range, or either with a port', async () => {
    const add = (src_ip: string, dst_port?: number) =>
      rookery.post('/settings/whitelist_ip_port', { src_ip, ...(dst_port !== undefined && { dst_port }) })
    expect((await add(SOURCE)).json['message']).toBe('Whitelist added')
    await add('198.51.100.0/24', 22)
    await add('2001:DB8:0::7', 443)
    await add('2001:db8:1::/48', 80)
    expect(await isIgnored(rookery, SOURCE)).toBe(true)
    expect(await isIgnored(rookery, SOURCE, 80)).toBe(true)
    expect(await isIgnored(rookery, '198.51.100.9')).toBe(false)
    expect(await isIgnored(rookery, '198.51.100.9', 22)).toBe(true)
    expect(await isIgnored(rookery, '198.51.100.9', 23)).toBe(false)
    expect(await isIgnored(rookery, '2001:db8::7', 443)).toBe(true)
    expect(await isIgnored(rookery, '2001:db8:1::5', 80)).toBe(true)
    expect(await isIgnored(rookery, '2001:db8:1::5', 81)).toBe(false)
    const alias = await rookery.get('/settings/is_ip_whitelisted', { src_ip: SOURCE })
    expect(alias.json).toEqual({
      result: 'success',
      is_ip_ignored: true,
      is_ip_whitelisted: true,
      is_whitelist_enabled: true,
      matched_entry: SOURCE,
      matched_list: 'console',
    })
    expect(await ask(rookery, '198.51.100.9', 22)).toMatchObject({ matched_entry: '198.51.100.0/24:22' })
    expect(await ask(rookery, '198.51.100.9')).toMatchObject({
      is_ip_ignored: false,
      matched_entry: '',
      matched_list: '',
    })
  })

  it('is replaced as a whole, keeps comments, and can be cleared', async () => {
    const replace = (whitelist_ips: string) =>
      rookery.post('/settings/whitelisting/whitelist_ips', { whitelist_ips })
    await replace('# our scanners\r\n192.0.2.7 # the old one\n\n10.0.0.0/8\n')
    expect([await isIgnored(rookery, SOURCE), await isIgnored(rookery, '10.9.9.9')]).toEqual([true, true])
    await replace('192.0.2.8:22')
    expect([await isIgnored(rookery, SOURCE), await isIgnored(rookery, '192.0.2.8', 22)]).toEqual([
      false,
      true,
    ])
    await rookery.api.consoleIgnoreLists.replaceIps({ clear: true })
    expect(await isIgnored(rookery, '192.0.2.8', 22)).toBe(false)
  })

  it('takes logtypes behind an address: only touches of these kinds are ignored', async () => {
    await rookery.api.consoleIgnoreLists.replaceIps({ whitelist_ips: `${SOURCE}:80  3000 22003 # pages` })
    await rookery.api.consoleIgnoreLists.addIp({ src_ip: '192.0.2.0/28', logtypes: '3000,5003' })
    const { ignore_lists } = await rookery.api.consoleIgnoreLists.all()
    expect(ignore_lists.ip.lines).toEqual([`${SOURCE}:80  3000 22003 # pages`, '192.0.2.0/28 3000 5003'])
    const about = async (logtype?: string, dst_port = 80) => {
      const params = { src_ip: SOURCE, dst_port, ...(logtype !== undefined && { logtype }) }
      const answer = await rookery.api.consoleIgnoreLists.isIpIgnored(params)
      return [answer.is_ip_ignored, answer.matched_entry]
    }
    expect(await about('22003')).toEqual([true, `${SOURCE}:80  3000 22003 # pages`])
    expect(await about('5003')).toEqual([true, '192.0.2.0/28 3000 5003'])
    expect(await about('3000', 81)).toEqual([true, '192.0.2.0/28 3000 5003'])
    expect(await about('4002')).toEqual([false, ''])
    // A caller that asks about every kind learns which entry ignores some.
    expect(await about()).toEqual([false, `${SOURCE}:80  3000 22003 # pages`])
    await rookery.api.consoleIgnoreLists.removeIp({ src_ip: SOURCE })
    expect(await about('22003')).toEqual([false, ''])
  })

  it('refuses a logtype that no touch has, and one behind nothing', async () => {
    for (const [line, reason] of [
      [`${SOURCE} 300`, 'must have known logtypes behind an address, not "300"'],
      [`${SOURCE} 3000 ssh`, 'must have known logtypes behind an address, not "ssh"'],
      [`${SOURCE} 192.0.2.8`, 'must have known logtypes behind an address, not "192.0.2.8"'],
      ['3000', 'must have an IP address, a CIDR range or ip:port on each line, not "3000"'],
    ] as const) {
      const { status, json } = await rookery.post('/settings/whitelisting/whitelist_ips', {
        whitelist_ips: line,
      })
      expect([status, json['details']]).toEqual([
        400,
        { whitelist_ips: expect.stringContaining(reason) as string },
      ])
    }
    for (const params of [{ logtypes: '300' }, { logtypes: '3000 x' }]) {
      const added = await rookery.post('/settings/whitelist_ip_port', { src_ip: SOURCE, ...params })
      expect([added.status, Object.keys({ ...(added.json['details'] as unknown as object) })]).toEqual([
        400,
        ['logtypes'],
      ])
    }
    const scans = { ignorelist_src_port_ips: `${SOURCE} 5003` }
    expect((await rookery.post('/settings/ignorelist_src_port', scans)).status).toBe(400)
    expect((await rookery.get('/settings/is_ip_ignored', { src_ip: SOURCE, logtype: '300' })).status).toBe(
      400,
    )
  })

  it('a wrong line is named, and nothing is saved', async () => {
    await rookery.api.consoleIgnoreLists.addIp({ src_ip: SOURCE })
    for (const wrong of ['10.0.0.0/33', 'router.example', '10.0.0.1:70000', ':443']) {
      const { status, json } = await rookery.post('/settings/whitelisting/whitelist_ips', {
        whitelist_ips: `10.0.0.1\n${wrong}`,
      })
      expect([status, json['details']]).toEqual([
        400,
        { whitelist_ips: expect.stringContaining(JSON.stringify(wrong)) as string },
      ])
    }
    for (const params of [{}, { whitelist_ips: '' }, { clear: false }, { whitelist_ips: '\n\n' }]) {
      expect((await rookery.post('/settings/whitelisting/whitelist_ips', params)).status).toBe(400)
    }
    for (const src_ip of ['10.0.0.1:22', '10.0.0.1 # me', '10.0.0.1\n10.0.0.2', 'nobody']) {
      expect((await rookery.post('/settings/whitelist_ip_port', { src_ip })).status).toBe(400)
    }
    expect((await rookery.get('/settings/is_ip_ignored', { src_ip: '10.0.0.0/8' })).status).toBe(400)
    expect([await isIgnored(rookery, SOURCE), await isIgnored(rookery, '10.0.0.1')]).toEqual([true, false])
  })

  it('takes a range wider than /8 (IPv6: /16) with force alone', async () => {
    const add = (src_ip: string, force?: boolean) =>
      rookery.post('/settings/whitelist_ip_port', { src_ip, ...(force !== undefined && { force }) })
    for (const wide of ['0.0.0.0/0', '10.0.0.0/7', '::/0', '2000::/15', '::ffff:0:0/96']) {
      const { status, json } = await add(wide)
      expect([wide, status, json['details']]).toEqual([
        wide,
        400,
        {
          src_ip: expect.stringMatching(
            /no range wider than .8 \(IPv6: .16\) unless force is true/,
          ) as string,
        },
      ])
      const list = await rookery.post('/settings/whitelisting/whitelist_ips', {
        whitelist_ips: `10.0.0.1\n${wide}`,
      })
      expect(list.status).toBe(400)
    }
    expect(await isIgnored(rookery, '10.0.0.1')).toBe(false)
    for (const narrow of ['10.0.0.0/8', '2001::/16']) expect((await add(narrow)).status).toBe(200)
    expect((await add('0.0.0.0/0', true)).status).toBe(200)
    expect(await isIgnored(rookery, SOURCE)).toBe(true)
  })

  it('says which wider range still ignores an address that is not on it', async () => {
    await rookery.api.consoleIgnoreLists.addIp({ src_ip: '192.0.2.0/24' })
    const { status, json } = await rookery.post('/settings/whitelisting/remove_whitelist_ip', {
      src_ip: SOURCE,
    })
    expect([status, json['message']]).toEqual([404, expect.stringContaining('"192.0.2.0/24"')])
  })

  it('says which wider range still ignores an address whose own entry was removed', async () => {
    await rookery.api.consoleIgnoreLists.replaceIps({
      whitelist_ips:
        '192.0.2.0/24 # the lab\n192.0.2.7\n198.51.100.7\n198.51.100.0/24:22\n198.51.100.8:22\n198.51.100.9:23',
    })
    const remove = (src_ip: string) => rookery.api.consoleIgnoreLists.removeIp({ src_ip })
    expect(await remove(SOURCE)).toEqual({
      result: 'success',
      message: `${SOURCE} was removed and is still ignored; the entry "192.0.2.0/24 # the lab" covers it: remove that range.`,
    })
    expect(await isIgnored(rookery, SOURCE)).toBe(true)
    // A range that counts for one port alone still ignores that one.
    for (const address of ['198.51.100.7', '198.51.100.8'])
      expect(await remove(address)).toEqual({
        result: 'success',
        message: `${address} was removed and is still ignored on port 22; the entry "198.51.100.0/24:22" covers it: remove that range.`,
      })
    expect(await isIgnored(rookery, '198.51.100.8', 22)).toBe(true)
    // It was ignored on port 23 alone, and is not any more.
    expect(await remove('198.51.100.9')).toEqual({ result: 'success' })
  })

  it('removing an address removes every entry of it and no other', async () => {
    await rookery.api.consoleIgnoreLists.replaceIps({
      whitelist_ips: '192.0.2.7:22\n192.0.2.70\n# stays\n192.0.2.7 # all\n[2001:db8::1]:80\n192.0.2.7:80',
    })
    const remove = (src_ip: string) => rookery.post('/settings/whitelisting/remove_whitelist_ip', { src_ip })
    expect((await remove(SOURCE)).status).toBe(200)
    expect((await remove('2001:DB8:0:0::1')).status).toBe(200)
    for (const port of [undefined, 22, 80]) expect(await isIgnored(rookery, SOURCE, port)).toBe(false)
    expect(await isIgnored(rookery, '2001:db8::1', 80)).toBe(false)
    expect(await isIgnored(rookery, '192.0.2.70')).toBe(true)
    expect((await remove(SOURCE)).status).toBe(404)
  })

  it('tells membership also while it is off', async () => {
    await rookery.api.consoleIgnoreLists.addIp({ src_ip: SOURCE })
    await rookery.api.consoleIgnoreLists.disableIps()
    expect(await ask(rookery, SOURCE)).toMatchObject({ is_ip_whitelisted: true, is_whitelist_enabled: false })
    await rookery.api.consoleIgnoreLists.enableIps()
    expect(await ask(rookery, SOURCE)).toMatchObject({ is_ip_whitelisted: true, is_whitelist_enabled: true })
  })
})

describe.each(engines)('the console list of ignored host names (%s)', (engine) => {
  const replace = (rookery: TestConsole, hostnames: string) =>
    rookery.post('/settings/ignore_hostnames', { hostnames })
  const isIgnored = async (rookery: TestConsole, hostname: string, more = {}): Promise<unknown[]> => {
    const answer = await rookery.api.consoleIgnoreLists.isHostNameIgnored({ hostname, ...more })
    return [answer.is_hostname_whitelisted, answer.is_whitelist_enabled]
  }

  it('has a name and every name below it, also while it is off', async () => {
    const rookery = await openTestConsole({ engine })
    await replace(rookery, '# ours\nScanners.Example.com\nprinter # in the hall')
    expect(await isIgnored(rookery, 'scanners.example.com')).toEqual([true, true])
    expect(await isIgnored(rookery, 'a.b.scanners.EXAMPLE.com.', { dst_port: 22 })).toEqual([true, true])
    expect(await isIgnored(rookery, 'myscanners.example.com')).toEqual([false, true])
    expect(await isIgnored(rookery, 'example.com')).toEqual([false, true])
    await rookery.api.consoleIgnoreLists.disableHostNames()
    expect(await isIgnored(rookery, 'printer')).toEqual([true, false])
    await rookery.api.consoleIgnoreLists.enableHostNames()
    await rookery.api.consoleIgnoreLists.replaceHostNames({ clear: true })
    expect(await isIgnored(rookery, 'printer')).toEqual([false, true])
  })

  it('is not replaced with a wrong line, which is named', async () => {
    const rookery = await openTestConsole({ engine })
    await replace(rookery, 'printer')
    for (const wrong of ['192.0.2.7', 'a.*.example.com', 'two names', 'https://example.com']) {
      const { status, json } = await replace(rookery, `example.com\n${wrong}`)
      expect([status, json['details']]).toEqual([
        400,
        { hostnames: expect.stringContaining(JSON.stringify(wrong)) as string },
      ])
    }
    expect((await rookery.post('/settings/ignore_hostnames')).status).toBe(400)
    expect((await rookery.get('/settings/is_hostname_whitelisted', { hostname: 'a b' })).status).toBe(400)
    expect([await isIgnored(rookery, 'printer'), await isIgnored(rookery, 'example.com')]).toEqual([
      [true, true],
      [false, true],
    ])
  })
})

describe.each(engines)('the console list of port scanners (%s)', (engine) => {
  it('takes addresses and ranges, and no ports', async () => {
    const rookery = await openTestConsole({ engine })
    const replace = (ignorelist_src_port_ips: string) =>
      rookery.post('/settings/ignorelist_src_port', { ignorelist_src_port_ips })
    expect((await replace('# ours\n192.0.2.20\n2001:db8::/64 # lab')).status).toBe(200)
    for (const wrong of ['192.0.2.20:22', ':443', 'printer', '10.0.0.0/40']) {
      const { status, json } = await replace(wrong)
      expect([status, json['details']]).toEqual([
        400,
        { ignorelist_src_port_ips: expect.stringContaining(JSON.stringify(wrong)) as string },
      ])
    }
    const info = async (): Promise<unknown> => {
      const answer = await rookery.api.flockIgnoreLists.info({ flock_id: 'flock:default' })
      return answer.whitelisting_info.src_port_ignorelisting
    }
    expect(await info()).toEqual({ enabled: true, src_ports: '# ours\n192.0.2.20,2001:db8::/64 # lab' })
    await rookery.api.consoleIgnoreLists.replaceSourcePortIps({ clear: true })
    await rookery.api.consoleIgnoreLists.disableSourcePorts()
    expect(await info()).toEqual({ enabled: false, src_ports: '' })
  })
})

describe.each(engines)('the console list of ignored annotations (%s)', (engine) => {
  it('takes the annotations there are, gives them back, and lets them go', async () => {
    const rookery = await openTestConsole({ engine })
    const list = async (): Promise<unknown> =>
      (await rookery.api.consoleIgnoreLists.ignoredAnnotations()).ignored_annotations
    const is = async (annotation: string): Promise<unknown[]> => {
      const answer = await rookery.api.consoleIgnoreLists.isAnnotationIgnored({ annotation })
      return [answer.ignored, answer.is_enabled]
    }
    const ignore = (annotation: string) =>
      rookery.post('/settings/ignored_annotations/ignore', { annotation })
    const remove = (annotation: string) =>
      rookery.call('DELETE', '/settings/ignored_annotations/remove', { annotation })
    expect([await list(), await is('palo_alto_pdf')]).toEqual([[], [false, true]])
    expect((await ignore('palo_alto_pdf')).json['message']).toBe('Annotation successfully ignored')
    await ignore('palo_alto_pdf')
    const text = expect.any(String) as string
    expect(await list()).toEqual([{ kb_link: text, name: 'palo_alto_pdf', nice_name: text, text }])
    expect([await is('palo_alto_pdf'), await is('m365_defender_pdf')]).toEqual([
      [true, true],
      [false, true],
    ])
    await rookery.api.consoleIgnoreLists.disableAnnotations()
    expect(await is('palo_alto_pdf')).toEqual([true, false])
    expect((await remove('palo_alto_pdf')).json['message']).toBe('Annotation removed successfully')
    expect([(await remove('palo_alto_pdf')).status, await list()]).toEqual([404, []])
    for (const answer of [await ignore('any_scanner'), await remove('any_scanner')]) {
      const details = { annotation: expect.stringContaining('palo_alto_pdf, m365_defender_pdf') as string }
      expect([answer.status, answer.json['details']]).toEqual([400, details])
    }
  })
})

describe.each(engines)('the lists of the console (%s)', (engine) => {
  it('are read as they were typed, each with its switch', async () => {
    const rookery = await openTestConsole({ engine })
    const lists = rookery.api.consoleIgnoreLists
    await lists.replaceIps({ whitelist_ips: '# ours\n192.0.2.7 # the scanner' })
    await lists.replaceHostNames({ hostnames: '*.example.org' })
    await lists.disableSourcePorts()
    await lists.ignoreAnnotation({ annotation: 'palo_alto_pdf' })
    expect((await lists.all()).ignore_lists).toEqual({
      ip: { is_enabled: true, lines: ['# ours', '192.0.2.7 # the scanner'] },
      hostname: { is_enabled: expect.any(Boolean) as boolean, lines: ['*.example.org'] },
      src_port: { is_enabled: false, lines: [] },
      annotation: { is_enabled: expect.any(Boolean) as boolean, lines: ['palo_alto_pdf'] },
    })
  })
})

describe('any text as a list', () => {
  it('is either kept or refused with a reason', async () => {
    const rookery = await openTestConsole()
    const line = fc.oneof(
      fc.ipV4(),
      fc.ipV6(),
      fc.string(),
      fc.tuple(fc.ipV4(), fc.nat(70_000)).map((it) => it.join(':')),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 4 }), async (lines) => {
        const { status } = await rookery.post('/settings/whitelisting/whitelist_ips', {
          whitelist_ips: lines.join('\n'),
        })
        expect([200, 400]).toContain(status)
        expect((await rookery.get('/settings/is_ip_ignored', { src_ip: SOURCE })).status).toBe(200)
      }),
      { numRuns: 60 },
    )
  })
})
