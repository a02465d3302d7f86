import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addBird } from '../../../test/birds.ts'
import {
  ADMIN,
  engines,
  openTestConsole,
  ownTestConsole,
  type Answer,
  type TestConsole,
  type Params,
} from '../../../test/test-console.ts'
import { sshLogin } from '../../../test/touches.ts'

const flock_id = 'flock:default'
const LIST = '/flock/settings/whitelisting/ip'

const post = (rookery: TestConsole, what: string, params: Params = {}): Promise<Answer> =>
  rookery.post(`${LIST}/${what}`, { flock_id, ...params })
async function get<T>(rookery: TestConsole, what: string, params: Params = {}): Promise<T> {
  const { status, json, text } = await rookery.get(`${LIST}/${what}`, { flock_id, ...params })
  if (status !== 200) throw new Error(text)
  return json as T
}
const asText = async (rookery: TestConsole): Promise<string> =>
  (await get<{ whitelist: string }>(rookery, 'string')).whitelist
const asked = async (rookery: TestConsole, dst_port: number, src_ip?: string): Promise<boolean[]> => {
  const params = { dst_port, ...(src_ip !== undefined && { src_ip }) }
  const answer = await get<{ is_whitelisted: boolean; is_whitelist_enabled: boolean }>(
    rookery,
    'is_ip_whitelisted',
    params,
  )
  return [answer.is_whitelisted, answer.is_whitelist_enabled]
}
const state = async (rookery: TestConsole): Promise<boolean[]> => [
  (await get<{ is_enabled: boolean }>(rookery, 'is_enabled')).is_enabled,
  (await get<{ is_global: boolean }>(rookery, 'is_global')).is_global,
]

describe.each(engines)('the list of a Flock (%s)', (engine) => {
  const rookery = ownTestConsole({ engine })

  it('follows the console until it is switched on or off, and again after use_global', async () => {
    expect(await state(rookery)).toEqual([true, true])
    await rookery.api.consoleIgnoreLists.disableIps()
    expect(await state(rookery)).toEqual([false, true])
    await post(rookery, 'enable')
    expect(await state(rookery)).toEqual([true, false])
    await rookery.api.consoleIgnoreLists.enableIps()
    await post(rookery, 'disable')
    expect(await state(rookery)).toEqual([false, false])
    await post(rookery, 'use_global')
    expect(await state(rookery)).toEqual([true, true])
  })

  it('names the list and the entry that cover an address', async () => {
    await rookery.post('/settings/whitelist_ip_port', { src_ip: '10.0.0.0/8' })
    await post(rookery, 'save', { whitelist: '10.1.0.0/16:22 # scanner,:443' })
    const match = async (dst_port: number, src_ip?: string) => {
      const params = { dst_port, ...(src_ip !== undefined && { src_ip }) }
      const answer = await get<Record<string, unknown>>(rookery, 'is_ip_whitelisted', params)
      return [answer['matched_list'], answer['matched_entry']]
    }
    expect(await match(22, '10.1.2.3')).toEqual(['console', '10.0.0.0/8'])
    await post(rookery, 'inherit_global/enable')
    await post(rookery, 'enable')
    expect(await match(22, '10.1.2.3')).toEqual(['flock', '10.1.0.0/16:22 # scanner,:443'])
    expect(await match(80, '10.1.2.3')).toEqual(['console', '10.0.0.0/8'])
    expect(await match(80, '192.0.2.1')).toEqual(['', ''])
    await post(rookery, 'save', { whitelist: ':443' })
    expect(await match(443)).toEqual(['flock', ':443'])
  })

  it('takes logtypes behind an address, and shows them wherever it shows the entry', async () => {
    await post(rookery, 'save', { whitelist: '10.1.0.0/16:22 4002 4001,10.2.0.0/16' })
    await post(rookery, 'enable')
    await post(rookery, 'whitelist_ip_port', { src_ip: '10.1.0.0/16', logtypes: '3000' })
    expect(await asText(rookery)).toBe('10.1.0.0/16:22 4002 4001,10.2.0.0/16,10.1.0.0/16 3000')
    expect((await get<{ whitelist: unknown }>(rookery, 'sanitized')).whitelist).toEqual([
      {
        '10.1.0.0/16 4001 4002': { flock: [22] },
        '10.2.0.0/16': { flock: [] },
        '10.1.0.0/16 3000': { flock: [] },
      },
      [],
    ])
    const params = { dst_port: 22, src_ip: '10.1.2.3' }
    expect(await get(rookery, 'is_ip_whitelisted', { ...params, logtype: '4001' })).toMatchObject({
      is_whitelisted: true,
      matched_entry: '10.1.0.0/16:22 4002 4001',
      matched_list: 'flock',
    })
    expect(await get(rookery, 'is_ip_whitelisted', params)).toMatchObject({
      is_whitelisted: false,
      matched_entry: '10.1.0.0/16:22 4002 4001',
      matched_list: 'flock',
    })
    for (const whitelist of [':22 4002', '10.1.0.0/16 4002:22', '10.1.2.3 42'])
      expect((await post(rookery, 'save', { whitelist })).status).toBe(400)
  })

  it('takes addresses, ranges and ports, gives them back as written, and sorted out', async () => {
    const whitelist =
      '192.0.2.7:80,192.0.2.7:22 # the old scanner, a box\n2001:DB8::7,198.51.100.0/24:443,[2001:db8::7]:22,:8443\n# end'
    expect((await post(rookery, 'save', { whitelist })).status).toBe(200)
    expect(await asText(rookery)).toBe(whitelist)
    expect(
      (await post(rookery, 'whitelist_ip_port', { src_ip: '192.0.2.9', dst_port: 22 })).json['message'],
    ).toBe('Whitelist added')
    await post(rookery, 'whitelist_ip_port', { src_ip: '192.0.2.9', dst_port: 22 })
    expect(await asText(rookery)).toBe(`${whitelist}\n192.0.2.9:22`)
    await rookery.api.consoleIgnoreLists.addIp({ src_ip: '192.0.2.7', dst_port: 21 })
    const console_ = { '192.0.2.7': { global: [21] } }
    expect((await get<{ whitelist: unknown }>(rookery, 'sanitized')).whitelist).toEqual([console_, []])
    await post(rookery, 'enable')
    await post(rookery, 'inherit_global/enable')
    expect((await get<{ whitelist: unknown }>(rookery, 'sanitized')).whitelist).toEqual([
      {
        '192.0.2.7': { flock: [22, 80], global: [21] },
        '2001:db8::7': { flock: [] },
        '198.51.100.0/24': { flock: [443] },
        '192.0.2.9': { flock: [22] },
      },
      [8443],
    ])
    await post(rookery, 'save', { clear: true })
    expect(await asText(rookery)).toBe('')
  })

  it('is taken from a JSON list, too, where a comment swallows no neighbour', async () => {
    const { status } = await fetch(`${rookery.console.apiUrl}/api/v1${LIST}/save`, {
      method: 'POST',
      headers: { 'X-Auth-Token': ADMIN, 'Content-Type': 'application/json' },
      body: JSON.stringify({ flock_id, whitelist: ['# ours', '192.0.2.7', '192.0.2.8 # two', ':443'] }),
    })
    expect([status, await asText(rookery)]).toEqual([200, '# ours\n192.0.2.7,192.0.2.8 # two\n:443'])
  })

  it('says what it has, by port, by address and port, also while it is off', async () => {
    await post(rookery, 'save', { whitelist: '192.0.2.7:22,198.51.100.0/24,:443' })
    await post(rookery, 'disable')
    expect(await asked(rookery, 22, '192.0.2.7')).toEqual([true, false])
    await post(rookery, 'enable')
    expect(await asked(rookery, 23, '192.0.2.7')).toEqual([false, true])
    expect(await asked(rookery, 23, '198.51.100.9')).toEqual([true, true])
    expect(await asked(rookery, 443, '203.0.113.1')).toEqual([true, true])
    expect(await asked(rookery, 443)).toEqual([true, true])
    expect(await asked(rookery, 22)).toEqual([false, true])
    // While it follows the console, the console's list is the one that it goes by.
    await post(rookery, 'use_global')
    expect(await asked(rookery, 22, '192.0.2.7')).toEqual([false, true])
  })

  it('is not saved with a wrong entry, which is named', async () => {
    await post(rookery, 'save', { whitelist: '192.0.2.7' })
    for (const wrong of ['192.0.2.256', ':70000', 'router.example', '10.0.0.0/8/8', ':']) {
      const { status, json } = await post(rookery, 'save', { whitelist: `10.0.0.1,${wrong}` })
      expect([status, json['details']]).toEqual([
        400,
        { whitelist: expect.stringContaining(JSON.stringify(wrong)) as string },
      ])
    }
    for (const params of [{}, { whitelist: '' }, { clear: false }, { whitelist: ' , ,' }]) {
      expect((await post(rookery, 'save', params)).status).toBe(400)
    }
    expect((await post(rookery, 'whitelist_ip_port', { src_ip: ':443' })).status).toBe(400)
    expect(await asText(rookery)).toBe('192.0.2.7')
  })

  it('takes a range wider than /8 with force alone, and keeps its own entries out of what is followed', async () => {
    const { api } = rookery
    const save = (params: { force?: boolean }) =>
      api.flockIgnoreLists.save({ flock_id, whitelist: '10.0.0.0/7', ...params })
    await expect(save({})).rejects.toThrow()
    await save({ force: true })
    expect((await api.flockIgnoreLists.sanitized({ flock_id })).whitelist).toEqual([{}, []])
    await api.flockIgnoreLists.enable({ flock_id })
    expect((await api.flockIgnoreLists.sanitized({ flock_id })).whitelist).toEqual([
      { '10.0.0.0/7': { flock: [] } },
      [],
    ])
  })

  it('holds ten thousand entries and no more', async () => {
    const entries = Array.from({ length: 10_000 }, (_, n) => `10.${n >> 8}.${n & 255}.0/24`)
    expect((await post(rookery, 'save', { whitelist: entries.join() })).status).toBe(200)
    await post(rookery, 'enable')
    expect(await asked(rookery, 22, '10.39.15.9')).toEqual([true, true])
    expect(await asked(rookery, 22, '10.39.16.9')).toEqual([false, true])
    const one = { src_ip: '192.0.2.7' }
    const full = await post(rookery, 'whitelist_ip_port', one)
    expect([full.status, full.json['message']]).toEqual([409, 'The list is full: it has 10000 lines.'])
    const more = await post(rookery, 'save', { whitelist: [...entries, '192.0.2.7'].join() })
    expect(more.status).toBe(400)
  })

  it('of an unknown Flock is a 404; a Flock that goes takes it along', async () => {
    for (const what of [
      'enable',
      'disable',
      'use_global',
      'inherit_global/enable',
      'inherit_global/disable',
    ]) {
      const { status, json } = await post(rookery, what, { flock_id: 'flock:none' })
      expect([what, status, json['message']]).toEqual([what, 404, 'Flock does not exist.'])
    }
    expect((await post(rookery, 'save', { flock_id: 'flock:none', whitelist: '192.0.2.7' })).status).toBe(404)
    for (const what of ['is_enabled', 'is_global', 'string', 'sanitized']) {
      expect((await rookery.get(`${LIST}/${what}`, { flock_id: 'flock:none' })).status).toBe(404)
    }
    const made = await rookery.api.flocks.create({ name: 'Lab' })
    await post(rookery, 'save', { flock_id: made.flock_id, whitelist: '192.0.2.7' })
    await post(rookery, 'enable', { flock_id: made.flock_id })
    expect((await rookery.post('/flock/delete', { flock_id: made.flock_id })).status).toBe(200)
    const { reader } = rookery.console.base
    expect(await reader.selectFrom('ignored_line').selectAll().execute()).toEqual([])
    expect(await reader.selectFrom('flock_ignore').selectAll().execute()).toEqual([])
  })

  it("is listed together with the console's lists", async () => {
    const info = async (): Promise<unknown> =>
      (await rookery.api.flockIgnoreLists.info({ flock_id })).whitelisting_info
    expect(await info()).toEqual({
      hostname_ignorelisting: { enabled: true, hostnames: [] },
      inherit_global_whitelist_ips: false,
      ip_whitelisting: { enabled: true, ips: '' },
      src_port_ignorelisting: { enabled: true, src_ports: '' },
    })
    await rookery.api.consoleIgnoreLists.replaceIps({ whitelist_ips: '192.0.2.7\n192.0.2.8:22' })
    await rookery.api.consoleIgnoreLists.replaceHostNames({ hostnames: '# ours\nscanners.example.com # lab' })
    await rookery.api.consoleIgnoreLists.replaceSourcePortIps({
      ignorelist_src_port_ips: '192.0.2.20\n10.0.0.0/8',
    })
    await rookery.api.consoleIgnoreLists.disableHostNames()
    await post(rookery, 'save', { whitelist: ':443' })
    expect(await info()).toEqual({
      hostname_ignorelisting: { enabled: false, hostnames: ['scanners.example.com'] },
      inherit_global_whitelist_ips: false,
      ip_whitelisting: { enabled: true, ips: '192.0.2.7,192.0.2.8:22' },
      src_port_ignorelisting: { enabled: true, src_ports: '192.0.2.20,10.0.0.0/8' },
    })
    await post(rookery, 'enable')
    await post(rookery, 'inherit_global/enable')
    expect(await info()).toMatchObject({
      inherit_global_whitelist_ips: true,
      ip_whitelisting: { enabled: true, ips: ':443,192.0.2.7,192.0.2.8:22' },
    })
  })
})

describe.each(engines)('a touch in a Flock (%s)', (engine) => {
  it("is ignored by the console's list, by the Flock's own, or by both, as the Flock says", async () => {
    const rookery = await openTestConsole({ engine })
    const lab = await rookery.api.flocks.create({ name: 'Lab' })
    const birds = {
      default: await addBird(rookery, {}),
      lab: await addBird(rookery, { flock_id: lab.flock_id }),
    }
    await rookery.api.consoleIgnoreLists.replaceIps({ whitelist_ips: '192.0.2.1' })
    await post(rookery, 'save', { flock_id: lab.flock_id, whitelist: '192.0.2.2,192.0.2.3:22,:443' })
    let round = 0
    const kinds = { 22: { logtype: '4002', instance: 'ssh' }, 443: { logtype: '3001', instance: 'http' } }
    /** Which of these touches of a Bird raise something. */
    const raised = async (bird: keyof typeof birds): Promise<string> => {
      const touches = [1, 2, 3, 4].flatMap((n) =>
        ([22, 443] as const).map((dstPort) => ({ srcHost: `192.0.2.${n}`, dstPort })),
      )
      await rookery.console.ingest.fromBird({
        nodeId: birds[bird],
        spoolId: `round ${++round}`,
        receivedAt: Date.now(),
        events: touches.map((it, n) => ({
          seq: n + 1,
          touch: sshLogin({ ...it, ...kinds[it.dstPort] }).touch,
        })),
      })
      const { incidents } = await rookery.api.incidentQueries.all({ node_id: birds[bird] })
      for (const { id } of incidents) {
        await rookery.api.incidentActions.acknowledge({ incident: id })
        await rookery.api.incidentActions.remove({ incident: id })
      }
      return incidents
        .map(({ description: it }) => `${it.src_host.slice(-1)}:${it.dst_port}`)
        .sort()
        .join(' ')
    }
    const turn = (what: string): Promise<Answer> => post(rookery, what, { flock_id: lab.flock_id })
    const ALL = '1:22 1:443 2:22 2:443 3:22 3:443 4:22 4:443'
    const WITHOUT_CONSOLES = '2:22 2:443 3:22 3:443 4:22 4:443'
    expect([await raised('default'), await raised('lab')]).toEqual([WITHOUT_CONSOLES, WITHOUT_CONSOLES])
    await turn('enable')
    expect([await raised('default'), await raised('lab')]).toEqual([WITHOUT_CONSOLES, '1:22 4:22'])
    await turn('inherit_global/enable')
    expect(await raised('lab')).toBe('4:22')
    await rookery.api.consoleIgnoreLists.disableIps()
    expect([await raised('default'), await raised('lab')]).toEqual([ALL, '1:22 4:22'])
    await rookery.api.consoleIgnoreLists.enableIps()
    await turn('disable')
    expect([await raised('default'), await raised('lab')]).toEqual([WITHOUT_CONSOLES, ALL])
    await turn('use_global')
    expect(await raised('lab')).toBe(WITHOUT_CONSOLES)
  })
})

describe('any text as the list of a Flock', () => {
  it('is kept as it was, or refused with a reason', async () => {
    const rookery = await openTestConsole()
    const piece = fc.oneof(
      fc.ipV4(),
      fc.ipV6(),
      fc.string(),
      fc.tuple(fc.ipV4(), fc.nat(70_000)).map((it) => it.join(':')),
      fc.nat(70_000).map((n) => `:${n}`),
      fc.string().map((it) => `# ${it}\n`),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 5 }), async (pieces) => {
        const { status } = await post(rookery, 'save', { whitelist: pieces.join(',') })
        expect([200, 400]).toContain(status)
        if (status === 400) return
        const kept = await asText(rookery)
        expect((await post(rookery, 'save', { whitelist: kept })).status).toBe(200)
        expect(await asText(rookery)).toBe(kept)
        await get(rookery, 'sanitized')
      }),
      { numRuns: 60 },
    )
  })
})
