import { describe, expect, it } from 'vitest'
import { registeredBird } from '../../../test/birds.ts'
import { ADMIN, engines, openTestConsole, type TestConsole } from '../../../test/test-console.ts'

const flock_id = 'flock:default'
const FLOCK = '/flock/settings/change_control/flock_settings'
const DEVICE = '/flock/settings/change_control/device_settings'

/** Incidents of a logtype, the newest event of each first. */
async function incidents(rookery: TestConsole, logtype: string) {
  const { incidents } = await rookery.api.incidentQueries.all()
  return incidents.map(({ description }) => description).filter((it) => it.logtype === logtype)
}

const settingsOf = (
  incident: { readonly events: readonly Record<string, unknown>[] } | undefined,
): string[] => incident?.events.map((event) => String(event['SETTINGS'])) ?? []

describe.each(engines)('change alerts (%s)', (engine) => {
  it('are off in a Flock until the console or the Flock says otherwise', async () => {
    const rookery = await openTestConsole({ engine })
    const ask = async () => ({
      ...(await rookery.api.flockChangeAlerts.info({ flock_id })).change_control,
      enabled: [
        (await rookery.get(`${FLOCK}/is_enabled`, { flock_id })).json['is_enabled'],
        (await rookery.get(`${DEVICE}/is_enabled`, { flock_id })).json['is_enabled'],
      ],
      global: [
        (await rookery.get(`${FLOCK}/is_global`, { flock_id })).json['is_global'],
        (await rookery.get(`${DEVICE}/is_global`, { flock_id })).json['is_global'],
      ],
    })
    const both = (flock: string, device: string) => ({
      flock_settings_notifications: flock,
      device_settings_notifications: device,
    })
    expect(await ask()).toEqual({
      ...both('Global', 'Global'),
      enabled: [false, false],
      global: [true, true],
    })
    await rookery.api.consoleChangeAlerts.enableFlock()
    expect(await ask()).toMatchObject({ enabled: [true, false] })
    await rookery.api.consoleChangeAlerts.enableDevice()
    expect(await ask()).toMatchObject({ enabled: [true, true], global: [true, true] })
    await rookery.post(`${FLOCK}/disable`, { flock_id })
    expect(await ask()).toEqual({
      ...both('Disabled', 'Global'),
      enabled: [false, true],
      global: [false, true],
    })
    await rookery.post(`${FLOCK}/enable`, { flock_id })
    await rookery.api.consoleChangeAlerts.disableFlock()
    await rookery.api.consoleChangeAlerts.disableDevice()
    expect(await ask()).toEqual({
      ...both('Enabled', 'Global'),
      enabled: [true, false],
      global: [false, true],
    })
    await rookery.post(`${FLOCK}/use_global`, { flock_id })
    expect(await ask()).toMatchObject({ ...both('Global', 'Global'), enabled: [false, false] })
    for (const path of [`${FLOCK}/enable`, `${DEVICE}/use_global`])
      expect((await rookery.post(path, { flock_id: 'flock:nowhere' })).status).toBe(404)
  })

  it('tell what a Flock was set to, and from where: one incident, an event for each change', async () => {
    const rookery = await openTestConsole({ engine })
    await rookery.api.flockLimits.set({ flock_id, limit: 5 })
    expect(await incidents(rookery, '23003')).toEqual([])
    await rookery.post(`${FLOCK}/enable`, { flock_id })
    await rookery.api.flockLimits.set({ flock_id, limit: 7 })
    await rookery.api.flockLimits.enable({ flock_id })
    const [incident, ...others] = await incidents(rookery, '23003')
    expect(others).toEqual([])
    expect(incident).toMatchObject({
      node_id: flock_id,
      flock_id,
      name: 'Default Flock',
      src_host: '127.0.0.1',
      events_count: '3',
    })
    const [switched, limited, enabled] = settingsOf(incident)
    expect(switched).toContain('\nflock_settings_alerts global → on')
    expect(limited).toMatch(/^Set the limit of a Flock: flock_id flock:default, limit 7\. By [0-9a-f]{8}\.\n/)
    expect(limited).toContain('\nbird_limit 5 → 7')
    expect(enabled).toContain('\nlimit_enabled 0 → 1')
  })

  it('tell every kind of setting of a Flock, old and new', async () => {
    const mail = { send: () => Promise.resolve({ refused: [] }) }
    const rookery = await openTestConsole({ engine, world: { mail } })
    await rookery.post(`${FLOCK}/enable`, { flock_id })
    const url = 'https://alerts.example.com/in/a-secret-path'
    for (const [path, params] of [
      ['/flock/rename', { name: 'Harbour' }],
      ['/flock/settings/webhooks/generic/add', { url }],
      ['/flock/settings/webhooks/disable', {}],
      ['/flock/settings/whitelisting/ip/save', { whitelist: '192.0.2.7' }],
      ['/flock/settings/notifications/emails', { addresses: 'soc@example.com', enabled: true }],
    ] as const)
      expect([path, (await rookery.post(path, { flock_id, ...params })).status]).toEqual([path, 200])
    const [incident] = await incidents(rookery, '23003')
    const shown = settingsOf(incident)
      .slice(1)
      .map((text) => text.split('\n').slice(1).join('; '))
    expect(shown).toEqual([
      'name "Default Flock" → Harbour',
      'receivers + "generic alerts.example.com"',
      'webhooks_mode global → off',
      'ignored_ips + 192.0.2.7',
      expect.stringContaining('emails + soc@example.com; emails_enabled false → true'),
    ])
    expect(settingsOf(incident).join()).not.toContain('a-secret-path')
  })

  it('tell who switches them off, and nothing more after that', async () => {
    const rookery = await openTestConsole({ engine })
    await rookery.post(`${FLOCK}/enable`, { flock_id })
    await rookery.post(`${FLOCK}/disable`, { flock_id })
    await rookery.api.flockLimits.set({ flock_id, limit: 9 })
    const [incident] = await incidents(rookery, '23003')
    expect(settingsOf(incident).at(-1)).toContain('flock_settings_alerts on → off')
  })

  it('tell what became of a Bird', async () => {
    const rookery = await openTestConsole({ engine })
    const node_id = await registeredBird(rookery, { name: 'nas-02', ip_address: '10.0.0.5' })
    const made = await rookery.api.flocks.create({ name: 'Berlin' })
    await rookery.post(`${DEVICE}/enable`, { flock_id })
    await rookery.api.flocks.move({ node_id, flock_id: made.flock_id })
    const [incident, ...others] = await incidents(rookery, '23002')
    expect(others).toEqual([])
    expect(incident).toMatchObject({ node_id, name: 'nas-02', flock_id, src_host: '127.0.0.1' })
    expect(settingsOf(incident)[0]).toContain(`\nflock_id flock:default → ${made.flock_id}`)
    // In the Flock where it is now, nobody asked for alerts.
    await rookery.api.flocks.move({ node_id, flock_id })
    expect(await incidents(rookery, '23002')).toHaveLength(1)
  })

  it('always tell of the console, without its secrets', async () => {
    const rookery = await openTestConsole({ engine })
    await rookery.api.consoleIgnoreLists.disableIps()
    const added = await rookery.api.apiKeys.add({ auth_token_type: 'analyst', note: 'SOC' })
    const { auth_token, key_id } = added.global_api_key
    const [incident, ...others] = await incidents(rookery, '23001')
    expect(others).toEqual([])
    expect(incident).toMatchObject({ node_id: 'console', src_host: '127.0.0.1', events_count: '2' })
    const [listed, keyed] = settingsOf(incident)
    expect(listed).toContain('ip_ignore_enabled true → false')
    expect(keyed).toContain(`api_keys + "${key_id} analyst"`)
    expect(keyed).not.toContain(auth_token)
    expect(keyed).not.toContain(ADMIN)
    // It is found like every incident.
    const answer = await rookery.api.incidentQueries.search({ node_id: 'console' })
    expect(answer.total_results).toBe(1)
  })

  it('raise nothing for what was refused, nor for what sets nothing', async () => {
    const rookery = await openTestConsole({ engine })
    await rookery.post(`${FLOCK}/enable`, { flock_id })
    for (const [status, path, params] of [
      [400, '/flock/rename', { flock_id, name: '' }],
      [400, '/flock/limit/set', { flock_id, limit: -1 }],
      [404, '/settings/whitelisting/remove_whitelist_ip', { src_ip: '192.0.2.99' }],
    ] as const)
      expect([path, (await rookery.post(path, params)).status]).toEqual([path, status])
    await rookery.api.flockNotes.add({ flock_id, note: 'n' })
    await rookery.api.tokenFactory.createFactory({ flock_id, memo: 'm' })
    await rookery.api.incidentActions.acknowledgeMany({ older_than: '0h' })
    expect(await incidents(rookery, '23001')).toEqual([])
    const [incident] = await incidents(rookery, '23003')
    expect(settingsOf(incident)).toHaveLength(1)
  })

  it('reach the receivers of the Flock', async () => {
    const bodies: string[] = []
    const rookery = await openTestConsole({
      engine,
      world: {
        outbound: {
          send: ({ body }) => {
            bodies.push(String(body))
            return Promise.resolve({ status: 204, headers: {}, body: '' })
          },
        },
      },
    })
    await rookery.api.flockWebhooks.addGeneric({
      flock_id,
      url: 'https://alerts.example.com/in',
    })
    await rookery.api.consoleIgnoreLists.disableIps()
    await rookery.console.dispatcher.idle()
    const alerts = bodies.map((body) => JSON.parse(body) as Record<string, unknown>)
    expect(alerts).toMatchObject([{ LogType: '23001', BirdID: 'console', SourceIP: '127.0.0.1' }])
  })
})
