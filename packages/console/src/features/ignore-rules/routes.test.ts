import { describe, expect, it } from 'vitest'
import { addBird } from '../../../test/birds.ts'
import { raiseIncident } from '../../../test/raise-incident.ts'
import { flockKey } from '../../../test/read-only-key.ts'
import { engines, openTestConsole, type TestConsole } from '../../../test/test-console.ts'
import { sshLogin } from '../../../test/touches.ts'

const SOURCE = '192.0.2.7'
const FLOCK = 'flock:default'
/** Changed settings are incidents of their own. */
const OF_INTRUDERS = { state: 'all', level: 'used,tried,looked' } as const

const SERVICES: Readonly<Record<number, { logtype: string; instance: string }>> = {
  21: { logtype: '2000', instance: 'ftp' },
  80: { logtype: '3001', instance: 'http' },
}

/** Touches of the source at a Bird, on ports; resolves once they are raised or ignored. */
async function touch(rookery: TestConsole, nodeId: string, ports: readonly number[]): Promise<void> {
  await rookery.console.ingest.fromBird({
    nodeId,
    spoolId: `${Math.random()}`,
    receivedAt: Date.now(),
    events: ports.map((dstPort, n) => ({
      seq: n + 1,
      touch: { ...sshLogin({ dstPort, srcHost: SOURCE, ...SERVICES[dstPort] }).touch, nodeId },
    })),
  })
}

const portsOf = async (rookery: TestConsole): Promise<number[]> =>
  (await rookery.api.incidentViews.rows(OF_INTRUDERS)).rows.map((it) => it.dst_port).sort()

const newestOf = async (rookery: TestConsole) => {
  return rookery.api.ignoreRules.ofIncident({ hash_id: await newestHash(rookery) })
}

describe.each(engines)('ignoring an incident (%s)', (engine) => {
  it('offers the narrowest rule first, with the incidents of 30 days that each would have kept away', async () => {
    const rookery = await openTestConsole({ engine })
    const nodeId = await addBird(rookery)
    await touch(rookery, nodeId, [21, 22])
    const lab = await rookery.api.flocks.create({ name: 'Lab' })
    await raiseIncident(rookery, { srcHost: SOURCE, flockId: lab.flock_id })
    await raiseIncident(rookery, { srcHost: '192.0.2.8' })
    const { rows } = await rookery.api.incidentViews.rows({ state: 'all', flock_id: FLOCK, source: SOURCE })
    const of22 = rows.find((it) => it.dst_port === 22)
    const { rules, ignored_by } = await rookery.api.ignoreRules.ofIncident({ hash_id: of22?.hash_id ?? '' })
    expect(ignored_by).toBe('')
    expect(rules).toEqual([
      {
        covers: 'address-port',
        list: 'ip',
        flock_id: FLOCK,
        line: `${SOURCE}:22`,
        matches: 1,
        enables: true,
        idle_lines: 0,
      },
      {
        covers: 'address',
        list: 'ip',
        flock_id: FLOCK,
        line: SOURCE,
        matches: 2,
        enables: true,
        idle_lines: 0,
      },
      {
        covers: 'address',
        list: 'ip',
        flock_id: '',
        line: SOURCE,
        matches: 3,
        enables: false,
        idle_lines: 0,
      },
    ])
    await rookery.api.consoleIgnoreLists.enableIps()
    const [house] = (await rookery.api.incidentViews.rows({ state: 'all', level: 'house' })).rows
    expect(await rookery.api.ignoreRules.ofIncident({ hash_id: house?.hash_id ?? '' })).toMatchObject({
      rules: [],
    })
    // A manager of one Flock counts what they see.
    const { key } = await flockKey(rookery, FLOCK)
    const seen = await rookery.apiAs(key).ignoreRules.ofIncident({ hash_id: of22?.hash_id ?? '' })
    expect(seen.rules.map(({ matches }) => matches)).toEqual([1, 2, 2])
  })

  it('a rule of a Flock keeps the list of the console in force, and Undo leaves nothing', async () => {
    const rookery = await openTestConsole({ engine })
    const nodeId = await addBird(rookery)
    await touch(rookery, nodeId, [22])
    await rookery.api.consoleIgnoreLists.replaceIps({ whitelist_ips: `${SOURCE}:80` })
    const { rules } = await newestOf(rookery)
    const [rule] = rules
    const done = await rookery.api.ignoreRules.addInFlock({ flock_id: FLOCK, line: rule?.line ?? '' })
    expect(done).toMatchObject({ line: `${SOURCE}:22`, was_there: false, was_mode: 'global' })
    expect(await newestOf(rookery)).toMatchObject({ ignored_by: `${SOURCE}:22` })
    await touch(rookery, nodeId, [21, 22, 80])
    expect(await portsOf(rookery)).toEqual([21, 22])
    await expect
      .poll(async () =>
        (await rookery.api.ignoredTouches.list({})).ignored_touches.map((it) => it.entry).sort(),
      )
      .toEqual([`${SOURCE}:22`, `${SOURCE}:80`])
    const trail = await rookery.api.auditTrail.fetch({})
    expect(trail.audit_trail.filter(({ message }) => message.includes(`${SOURCE}:22`))).toHaveLength(1)

    const { result: _, ...answer } = done as typeof done & { result: string }
    await rookery.api.ignoreRules.undoInFlock({ flock_id: FLOCK, ...answer })
    expect((await rookery.api.flockIgnoreLists.asText({ flock_id: FLOCK })).whitelist).toBe('')
    expect((await rookery.api.flockIgnoreLists.isGlobal({ flock_id: FLOCK })).is_global).toBe(true)
    expect((await rookery.api.flockIgnoreLists.info({ flock_id: FLOCK })).whitelisting_info).toMatchObject({
      inherit_global_whitelist_ips: false,
    })
  })

  it('Undo leaves what others changed since: the mode, and a line that was there before', async () => {
    const rookery = await openTestConsole({ engine })
    const { ignoreRules, flockIgnoreLists } = rookery.api
    await flockIgnoreLists.save({ flock_id: FLOCK, whitelist: `10.0.0.1,${SOURCE}` })
    await flockIgnoreLists.disable({ flock_id: FLOCK })
    const done = await ignoreRules.addInFlock({ flock_id: FLOCK, line: SOURCE })
    expect(done).toMatchObject({ was_there: true, was_mode: 'off' })
    expect((await flockIgnoreLists.isEnabled({ flock_id: FLOCK })).is_enabled).toBe(true)
    await flockIgnoreLists.useGlobal({ flock_id: FLOCK })
    await ignoreRules.undoInFlock({ flock_id: FLOCK, ...done })
    expect((await flockIgnoreLists.asText({ flock_id: FLOCK })).whitelist).toBe(`10.0.0.1,${SOURCE}`)
    expect((await flockIgnoreLists.isGlobal({ flock_id: FLOCK })).is_global).toBe(true)
  })

  it('says which lines begin to apply with a list that is switched on', async () => {
    const rookery = await openTestConsole({ engine })
    const nodeId = await addBird(rookery)
    await touch(rookery, nodeId, [22])
    await rookery.api.flockIgnoreLists.save({ flock_id: FLOCK, whitelist: '10.0.0.1,10.0.0.2' })
    await rookery.api.consoleIgnoreLists.replaceIps({ whitelist_ips: '10.0.0.3' })
    await rookery.api.consoleIgnoreLists.disableIps()
    expect((await newestOf(rookery)).rules.map((it) => [it.enables, it.idle_lines])).toEqual([
      [true, 2],
      [true, 2],
      [true, 1],
    ])
    const done = await rookery.api.ignoreRules.add({ list: 'ip', line: SOURCE })
    expect(await rookery.api.ignoreRules.ofIncident({ hash_id: await newestHash(rookery) })).toMatchObject({
      ignored_by: SOURCE,
    })
    await rookery.api.ignoreRules.undo({ list: 'ip', ...done })
    expect((await rookery.api.consoleIgnoreLists.all()).ignore_lists.ip).toEqual({
      is_enabled: false,
      lines: ['10.0.0.3'],
    })
    // A list of a Flock that replaces the console's: a line of the console would do nothing there.
    await rookery.api.flockIgnoreLists.enable({ flock_id: FLOCK })
    expect((await newestOf(rookery)).rules.map((it) => it.flock_id)).toEqual([FLOCK, FLOCK])
  })

  it('offers port scans, a reverse name and a known scanner where the incident has them', async () => {
    const resolver = {
      addresses: (name: string) => Promise.resolve(name === 'scan1.example.org' ? ['192.0.2.9'] : []),
      reverse: (address: string) => Promise.resolve(address === '192.0.2.9' ? ['scan1.example.org'] : []),
    }
    const rookery = await openTestConsole({ engine, world: { resolver } })
    await rookery.console.ingest.fromConsole(sshLogin({ srcHost: '192.0.2.9', logtype: '5001', dstPort: 4 }))
    await expect
      .poll(async () =>
        (await newestOf(rookery)).rules.map(({ covers, line, matches }) => [covers, line, matches]),
      )
      .toEqual([
        ['address-kind', '192.0.2.9 5001', 1],
        ['address', '192.0.2.9', 1],
        ['port-scans', '192.0.2.9', 1],
        ['address', '192.0.2.9', 1],
        ['name', 'scan1.example.org', 1],
      ])
    const { api } = rookery
    for (const [list, line] of [
      ['src_port', '192.0.2.9'],
      ['hostname', 'scan1.example.org'],
      ['annotation', 'palo_alto_pdf'],
    ] as const)
      expect(await api.ignoreRules.add({ list, line })).toMatchObject({
        line,
        was_there: false,
        was_on: true,
      })
    expect((await api.consoleIgnoreLists.all()).ignore_lists).toMatchObject({
      hostname: { lines: ['scan1.example.org'] },
      src_port: { lines: ['192.0.2.9'] },
      annotation: { lines: ['palo_alto_pdf'] },
    })
  })

  it('checks the lines of a list without saving: each wrong one with its number and reason', async () => {
    const rookery = await openTestConsole({ engine })
    const check = async (lines: string, of_flock = false, list: 'ip' | 'hostname' = 'ip') =>
      (await rookery.api.ignoreRules.check({ list, lines, of_flock })).wrong
    const text = '# ours\n\n192.0.2.7 3000 # pages\n192.0.2.7.8\n0.0.0.0/0\n:443'
    expect(await check(text)).toMatchObject([
      { number: 4, line: '192.0.2.7.8', is_wide: false },
      {
        number: 5,
        line: '0.0.0.0/0',
        is_wide: true,
        reason: expect.stringContaining('wider than /8') as string,
      },
      { number: 6, line: ':443', is_wide: false },
    ])
    expect((await check(text, true)).map(({ number }) => number)).toEqual([4, 5])
    expect((await check('10.0.0.1,10.0.0.x', true)).map(({ number }) => number)).toEqual([1])
    expect((await check('example.org\n*.x\n-x-', false, 'hostname')).map(({ number }) => number)).toEqual([3])
    expect(await check('x\n'.repeat(1_000))).toHaveLength(100)
    expect((await rookery.api.consoleIgnoreLists.all()).ignore_lists.ip.lines).toEqual([])
  })

  it('refuses what the list cannot take, naming it', async () => {
    const rookery = await openTestConsole({ engine })
    const refused = async (path: string, params: Record<string, string>) => {
      const { status, json } = await rookery.post(path, params)
      return [status, (json['details'] as Record<string, string> | undefined)?.['line']]
    }
    const inFlock = (line: string) => refused('/flock/ignore_rule/add', { flock_id: FLOCK, line })
    expect(await inFlock('10.0.0.0/7')).toEqual([
      400,
      'must have no range wider than /8 (IPv6: /16) unless force is true, not "10.0.0.0/7"',
    ])
    expect(await inFlock('10.0.0.1\n10.0.0.2')).toEqual([
      400,
      expect.stringContaining('must be one entry') as string,
    ])
    expect(await inFlock('# nothing')).toEqual([400, 'must be one entry, not "# nothing"'])
    expect(await inFlock('nobody')).toEqual([400, expect.stringContaining('not "nobody"') as string])
    const ofConsole = (list: string, line: string) => refused('/settings/ignore_rule/add', { list, line })
    expect(await ofConsole('src_port', '10.0.0.1:22')).toEqual([
      400,
      expect.stringContaining('10.0.0.1:22') as string,
    ])
    expect(await ofConsole('hostname', '-x-')).toEqual([400, expect.stringContaining('-x-') as string])
    expect(await ofConsole('annotation', 'nobody')).toEqual([
      400,
      expect.stringContaining('nobody') as string,
    ])
    expect(
      (await rookery.post('/flock/ignore_rule/add', { flock_id: FLOCK, line: '10.0.0.0/7', force: 'true' }))
        .status,
    ).toBe(200)
  })
})

const newestHash = async (rookery: TestConsole): Promise<string> =>
  (await rookery.api.incidentViews.rows(OF_INTRUDERS)).rows[0]?.hash_id ?? ''
