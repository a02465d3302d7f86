// Configuring a Bird over HTTP: what is refused and why, what it changes, and what the incident says.
import { describe, expect, it } from 'vitest'
import { registeredBird, pendingBird } from '../../../test/birds.ts'
import { engines, openTestConsole, type TestConsole } from '../../../test/test-console.ts'

type Settings = Record<string, unknown>

const shown = async (rookery: TestConsole, node_id: string) =>
  (await rookery.api.birdQueries.info({ node_id, settings: true })).device

const settingsOf = async (rookery: TestConsole, node_id: string): Promise<Settings> => ({
  ...(await shown(rookery, node_id)).settings,
})

const configure = (
  rookery: TestConsole,
  node_id: string,
  settings: unknown,
  more: Record<string, string> = {},
) =>
  rookery.post('/device/configure', {
    node_id,
    settings: typeof settings === 'string' ? settings : JSON.stringify(settings),
    ...more,
  })

/** Sends the Bird's own settings with these changed; undefined takes a key out. */
async function change(rookery: TestConsole, node_id: string, changes: Settings) {
  const settings = { ...(await settingsOf(rookery, node_id)), ...changes }
  return configure(
    rookery,
    node_id,
    Object.fromEntries(Object.entries(settings).filter(([, it]) => it !== undefined)),
  )
}

async function openHouse(engine: (typeof engines)[number]) {
  const rookery = await openTestConsole({ engine })
  const node_id = await registeredBird(rookery, { name: 'nas-02', mac_address: '02:00:00:00:00:05' })
  return { rookery, node_id }
}

describe.each(engines)('the settings of a Bird (%s)', (engine) => {
  it('are those that were sent, under a new tag, and a bundle waits for the Bird', async () => {
    const { rookery, node_id } = await openHouse(engine)
    const before = await shown(rookery, node_id)
    const { status, json } = await change(rookery, node_id, {
      'ssh.port': 2222,
      'http.headers': { 'X-A': '1' },
    })
    expect([status, json]).toEqual([
      200,
      {
        result: 'success',
        bundle_tag: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
        custom_personality_name: '',
        msg: 'The Bird is offline: it gets the settings when it reconnects.',
      },
    ])
    const after = await shown(rookery, node_id)
    expect(after.settings).toEqual({ ...before.settings, 'ssh.port': 2222, 'http.headers': { 'X-A': '1' } })
    expect(after.current_settings).not.toBe(before.current_settings)
    const { bundle } = await rookery.api.configuration.bundle({ bundle_tag: String(json['bundle_tag']) })
    expect(bundle).toMatchObject({ node_id, type: 'settings', state: 'waiting', bytes_copied: 0, reason: '' })
    expect(bundle.bundle_size).toBe(JSON.stringify(after.settings).length)
  })

  it('can be sent without the fixed keys, and as an object in a JSON body', async () => {
    const { rookery, node_id } = await openHouse(engine)
    const { settings } = (
      await rookery.api.birdQueries.info({ node_id, settings: true, exclude_fixed_settings: true })
    ).device
    expect(settings).not.toHaveProperty(['device.mac'])
    await rookery.api.configuration.configure({ node_id, settings: { ...settings, 'ftp.enabled': false } })
    expect(await settingsOf(rookery, node_id)).toMatchObject({
      'ftp.enabled': false,
      'device.mac': '02:00:00:00:00:05',
    })
  })

  it('can be sent in part with merge: the others stay as they are', async () => {
    const { rookery, node_id } = await openHouse(engine)
    const before = await settingsOf(rookery, node_id)
    const part = { 'ssh.port': 2222, 'http.skin': 'portal' }
    expect((await configure(rookery, node_id, part)).status).toBe(400)
    expect((await configure(rookery, node_id, part, { merge: 'true' })).status).toBe(200)
    expect(await settingsOf(rookery, node_id)).toEqual({ ...before, ...part })
    // What is checked is the whole: the part alone has no clash.
    const clash = await configure(rookery, node_id, { 'ftp.port': 2222 }, { merge: 'true' })
    expect([clash.status, clash.json['details']]).toEqual([
      400,
      {
        'ftp.port': 'port 2222 is also taken by ssh.port; give each a port of its own',
        'ssh.port': 'port 2222 is also taken by ftp.port; give each a port of its own',
      },
    ])
    const unknown = await configure(rookery, node_id, { 'ssh.prot': 22 }, { merge: 'true' })
    expect(unknown.json['details']).toEqual({ 'ssh.prot': 'is no setting' })
    const long = { 'http.headers': { 'X-A': 'a'.repeat(1024 * 1024) } }
    expect((await configure(rookery, node_id, long, { merge: 'true' })).status).toBe(400)
    const named = { merge: 'true', custom_personality_name: 'Back office' }
    await configure(rookery, node_id, { 'ftp.enabled': false }, named)
    const other = await registeredBird(rookery, { name: 'nas-03', mac_address: '02:00:00:00:00:06' })
    await rookery.api.configuration.personality({ node_id: other, personality: 'Back office' })
    expect(await settingsOf(rookery, other)).toMatchObject({ ...part, 'ftp.enabled': false })
  })

  it('carry name and description into its record', async () => {
    const { rookery, node_id } = await openHouse(engine)
    await change(rookery, node_id, { 'device.name': 'till-3', 'device.desc': 'The till' })
    expect(await shown(rookery, node_id)).toMatchObject({ name: 'till-3', description: 'The till' })
  })

  it('are refused with a reason for each key, and nothing changes', async () => {
    const { rookery, node_id } = await openHouse(engine)
    const before = await shown(rookery, node_id)
    const refused = async (changes: Settings): Promise<unknown> => {
      const { status, json } = await change(rookery, node_id, changes)
      expect(status).toBe(400)
      return json['details']
    }
    expect(await refused({ 'gopher.port': 5_060, 'ftp.port': undefined })).toEqual({
      'ftp.port': 'is missing',
      'gopher.port': 'is no setting',
    })
    expect(await refused({ 'ssh.enabled': 'yes', 'ssh.port': 70_000, 'http.skin': 'toaster' })).toEqual({
      'http.skin':
        'must be one of nas, router, printer, portal, apache-default, nginx-default, iis-default, basic-auth, not "toaster"',
      'ssh.enabled': 'must be true or false, not "yes"',
      'ssh.port': 'must be a number from 1 to 65535, not 70000',
    })
    expect(await refused({ 'ssh.port': 80 })).toEqual({
      'http.port': 'port 80 is also taken by ssh.port; give each a port of its own',
      'ssh.port': 'port 80 is also taken by http.port; give each a port of its own',
    })
    expect(await refused({ 'smb.enabled': true, 'ssh.port': 445, 'ftp.port': 139 })).toEqual({
      'ftp.port': 'port 139 is also taken by smb.enabled; give each a port of its own',
      'smb.enabled': 'port 139 is also taken by ftp.port; give each a port of its own',
      'smb.port': 'port 445 is also taken by ssh.port; give each a port of its own',
      'ssh.port': 'port 445 is also taken by smb.port; give each a port of its own',
    })
    expect(await refused({ 'ftp.banner': 'a\r\n500 b', 'http.banner': 'a\0b' })).toEqual({
      'ftp.banner': 'must be one line of printable ASCII characters, not "a\\r\\n500 b"',
      'http.banner': 'must be one line of printable ASCII characters, not "a\\u0000b"',
    })
    expect(await refused({ 'device.mac': '02:00:00:00:00:06', 'device.personality': 'toaster' })).toEqual({
      'device.mac': 'is fixed at "02:00:00:00:00:05": leave it as it is, or out',
      'device.personality': 'must be a name of personalities/list, not "toaster"',
    })
    expect((await change(rookery, node_id, { 'ssh.port': 0 })).json['message']).toBe(
      'Setting ssh.port must be a number from 1 to 65535, not 0.',
    )
    expect(await shown(rookery, node_id)).toEqual({ ...before, local_time: expect.anything() as string })
    const bundles = (await rookery.api.configuration.bundles({ node_id })).bundles
    expect(bundles).toHaveLength(1)
    expect((await rookery.api.incidentQueries.all()).incidents).toEqual([])
  })

  it('are refused when they are no settings at all, too long, too deep, or too many', async () => {
    const { rookery, node_id } = await openHouse(engine)
    const details = async (settings: unknown): Promise<Record<string, string>> => {
      const { status, json } = await configure(rookery, node_id, settings)
      expect(status).toBe(400)
      return json['details'] ?? {}
    }
    expect(await details('nonsense')).toEqual({ settings: 'must be a JSON object' })
    expect(await details('[]')).toEqual({ settings: 'must be a JSON object' })
    const long = { ...(await settingsOf(rookery, node_id)), 'device.desc': 'x'.repeat(1_150_000) }
    expect(await details(long)).toEqual({
      settings: expect.stringMatching(/^must be at most 1048576 bytes of JSON, not 115\d{4}$/) as string,
    })
    const deep = `{"smb.filetree":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
    expect(await details(deep)).toEqual({ settings: 'is nested more than 64 levels deep' })
    const unknown = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`gopher_${n}.enabled`, true]))
    const reasons = await details(unknown(900))
    expect(Object.keys(reasons)).toHaveLength(201)
    expect(reasons['settings']).toMatch(/^\d{3} more keys are wrong$/)
    expect(await details(unknown(10_000))).toEqual({ settings: 'has an object of more than 1000 members' })
  })

  it('belong to a registered Bird', async () => {
    const { rookery, node_id } = await openHouse(engine)
    const settings = await settingsOf(rookery, node_id)
    const none = await configure(rookery, 'ffffffffffffffff', settings)
    expect([none.status, none.json['message']]).toEqual([404, 'Bird not found'])
    expect((await configure(rookery, await pendingBird(rookery), settings)).status).toBe(409)
    const key = await rookery.api.apiKeys.add({ auth_token_type: 'analyst', note: 'x' })
    const { auth_token } = key.global_api_key as { auth_token: string }
    const params = { node_id, settings: JSON.stringify(settings) }
    expect((await rookery.call('POST', '/device/configure', params, auth_token)).status).toBe(403)
  })

  it('raise one incident that names what changed', async () => {
    const { rookery, node_id } = await openHouse(engine)
    await rookery.post('/settings/change_control/device_settings/enable')
    const { json } = await change(rookery, node_id, { 'ssh.port': 2222, 'ftp.enabled': false })
    const all = (await rookery.api.incidentQueries.all()).incidents
    const incidents = all.filter(({ description }) => description.logtype !== '23001')
    expect(incidents.map(({ description }) => description.logtype)).toEqual(['23002'])
    const [event] = incidents[0]?.description.events ?? []
    expect(String(event?.['SETTINGS']).split('\n')).toEqual([
      expect.stringMatching(
        `^Give a Bird other settings.*settings \\(withheld\\), bundle_tag ${String(json['bundle_tag'])}\\. By`,
      ) as string,
      'ftp.enabled true → false',
      'ssh.port 22 → 2222',
    ])
  })
})

/** The keys of the specification's settings object (2.8), as consoles before this one have them all. */
const SPECIFIED = [
  'device: ad_pubkey desc dhcp.enabled dns1 dns2 gw ip_address ippers mac name netmask personality usermodule',
  'firewall: enabled rulelist',
  'ftp: banner enabled port',
  'git: enabled port',
  'http: banner enabled headers headers.enabled port skin userwebroot_present',
  'httpproxy: banner enabled port skin',
  'https: enabled headers headers.enabled redirect_http.enabled',
  'modbus: enabled majorminorrevision modelname port productcode productname userapplicationname vendorname vendorurl',
  'dbsrv_a: enabled port version',
  'dbsrv_b: banner enabled port',
  'ntp: enabled port',
  'portscan: enabled',
  'redis: enabled port',
  'remoteupdates: enabled',
  'rollback: enabled',
  'sip: enabled port',
  'smb: advanced.enabled advanced.preferred_dc.enabled advanced.preferred_dc.servers advanced.serversigning domain enabled filetree guest.enabled mode netbios_domain.enabled netbiosname serverstring sharecomment sharename workgroup',
  'snmp: enabled port',
  'ssh: enabled port preauth_banner version',
  'tcpbanner: enabled',
  ...Array.from({ length: 10 }, (_, n) => `tcpbanner_${n + 1}: enabled port initbanner datareceivedbanner`),
  'tcpbanner_1: alertstring alertstring.enabled keep_alive.enabled keep_alive_secret',
  'telnet: authentication_failed_prompt banner enabled password_prompt port user_prompt',
  'tftp: enabled port',
  'vnc: enabled port',
].flatMap((line) => {
  const [service, names = ''] = line.split(': ')
  return names.split(' ').map((name) => `${service}.${name}`)
})

describe.each(engines)('the settings object of an older console (%s)', (engine) => {
  it('which has every key of the specification, and no other, is taken; what it lacks stays', async () => {
    const { rookery, node_id } = await openHouse(engine)
    await configure(rookery, node_id, { 'device.host_name': 'till-3', 'https.port': 8443 }, { merge: 'true' })
    const before = await settingsOf(rookery, node_id)
    const later = {
      'firewall.enabled': true,
      'firewall.rulelist': [{ port: 22, rule: 'allow', source: '192.0.2.0/24' }],
      'device.usermodule': [{ name: 'ours' }],
      'device.dhcp.enabled': false,
      'device.ip_address': '192.0.2.10',
      'device.netmask': '255.255.255.0',
      'device.gw': '192.0.2.1',
      'device.dns1': '192.0.2.53',
      'device.dns2': '2001:db8::53',
      'device.ippers': 'Linux 6',
    }
    const older = { ...Object.fromEntries(SPECIFIED.map((key) => [key, before[key]])), ...later }
    expect(Object.values(older)).not.toContain(undefined)
    const { status, json } = await configure(rookery, node_id, older)
    expect([status, json['details']]).toEqual([200, undefined])
    expect(await settingsOf(rookery, node_id)).toEqual({ ...before, ...later })
    const { schema } = await rookery.api.configuration.schema({ node_id })
    for (const key of Object.keys(later))
      expect(schema[key]?.description, key).toMatch(/No effect: [A-Z].*\.$/)
  })

  it('may lack no key of the specification but the fixed ones', async () => {
    const { rookery, node_id } = await openHouse(engine)
    const before = await settingsOf(rookery, node_id)
    const missing = async (key: string): Promise<unknown> => {
      const { [key]: _, ...rest } = before
      return (await configure(rookery, node_id, rest)).json['details']?.[key]
    }
    for (const key of ['firewall.enabled', 'device.gw', 'tcpbanner_7.port', 'sip.port', 'modbus.vendorname'])
      expect(await missing(key), key).toBe('is missing')
    for (const key of ['device.mac', 'device.host_name', 'vnc.version'])
      expect(await missing(key)).toBeUndefined()
  })
})

describe.each(engines)('the schema of settings (%s)', (engine) => {
  it('has every key of a Bird with its form, default, release and service', async () => {
    const { rookery, node_id } = await openHouse(engine)
    const { schema } = await rookery.api.configuration.schema({ node_id })
    expect(Object.keys(schema)).toEqual(Object.keys(await settingsOf(rookery, node_id)))
    expect(schema['ssh.port']).toEqual({
      type: 'integer',
      title: 'Port',
      description: '',
      default: 22,
      minimum: 1,
      maximum: 65_535,
      since: '3.0.0',
      fixed: false,
      secret: false,
      service: 'ssh',
      service_title: 'SSH server',
    })
    expect(schema['device.mac']).toMatchObject({ type: 'text', fixed: true, service: 'device' })
    expect(schema['http.skin']).toMatchObject({
      type: 'text',
      choices: [
        'nas',
        'router',
        'printer',
        'portal',
        'apache-default',
        'nginx-default',
        'iis-default',
        'basic-auth',
      ],
    })
    expect(schema['firewall.rulelist']).toMatchObject({ type: 'list', default: [] })
    expect(schema['smb.filetree']).toMatchObject({ type: 'tree', default: [], service: 'smb' })
    expect(schema['smb.filetree']?.description).toMatch(/^Each node has name and type/)
    expect(schema['http.headers']).toMatchObject({ type: 'object', default: {} })
    const pattern = new RegExp(schema['ftp.banner']?.pattern ?? '', 'u')
    expect([pattern.test('vsFTPd'), pattern.test('a\nb')]).toEqual([true, false])
  })

  it('takes any key, and says which Bird there is not', async () => {
    const { rookery } = await openHouse(engine)
    expect((await rookery.get('/settings/schema', {}, null)).status).toBe(401)
    expect((await rookery.get('/settings/schema', { node_id: 'none' })).status).toBe(404)
    const { factory_auth } = await rookery.api.tokenFactory.createFactory({
      flock_id: 'flock:default',
      memo: 'x',
    })
    expect((await rookery.get('/settings/schema', {}, factory_auth)).status).toBe(200)
  })
})
