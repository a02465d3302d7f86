// The schema of settings against the keys that the specification names, and against Birds of other releases.
import { descriptors } from '@rookery/decoys/descriptors.gen.ts'
import { expect, it, onTestFinished } from 'vitest'
import { registeredBird } from '../../../test/birds.ts'
import { openTestConsole } from '../../../test/test-console.ts'
import { SETTINGS } from '../../stores/birds/settings.ts'

/** Section 2.8: the device, and each service by its name. */
const SPECIFIED: Readonly<Record<string, string>> = {
  device:
    'ad_pubkey desc dhcp.enabled dns1 dns2 gw ip_address ippers mac name netmask personality usermodule',
  firewall: 'enabled rulelist',
  remoteupdates: 'enabled',
  rollback: 'enabled',
  ftp: 'banner enabled port',
  git: 'enabled port',
  http: 'banner enabled headers headers.enabled port skin userwebroot_present',
  https: 'enabled headers headers.enabled redirect_http.enabled',
  dbsrv_a: 'enabled port version',
  dbsrv_b: 'banner enabled port',
  ntp: 'enabled port',
  httpproxy: 'banner enabled port skin',
  modbus:
    'enabled majorminorrevision modelname port productcode productname userapplicationname vendorname vendorurl',
  portscan: 'enabled',
  redis: 'enabled port',
  sip: 'enabled port',
  smb: 'advanced.enabled advanced.preferred_dc.enabled advanced.preferred_dc.servers advanced.serversigning domain enabled filetree guest.enabled mode netbios_domain.enabled netbiosname serverstring sharecomment sharename workgroup',
  snmp: 'enabled port',
  ssh: 'enabled port preauth_banner version',
  tcpbanner: 'enabled',
  ...Object.fromEntries(
    Array.from({ length: 10 }, (_, n) => [
      `tcpbanner_${n + 1}`,
      'enabled port initbanner datareceivedbanner',
    ]),
  ),
  tcpbanner_1:
    'enabled port initbanner datareceivedbanner alertstring alertstring.enabled keep_alive.enabled keep_alive_secret',
  telnet: 'authentication_failed_prompt banner enabled password_prompt port user_prompt',
  tftp: 'enabled port',
  vnc: 'enabled port',
}
const DEVICE = new Set(['device', 'firewall', 'remoteupdates', 'rollback'])

it('the schema has each key that the specification names for the device and for a service that stands', async () => {
  const rookery = await openTestConsole()
  const { schema } = await rookery.api.configuration.schema({})
  const standing = descriptors.map(({ service }) => service)
  expect(standing.filter((service) => SPECIFIED[service] === undefined)).toEqual([])
  const specified = Object.entries(SPECIFIED).flatMap(([name, keys]) =>
    keys.split(' ').map((key) => `${name}.${key}`),
  )
  expect(specified.filter((key) => schema[key] === undefined)).toEqual([])
  for (const key of specified) {
    const group = key.slice(0, key.indexOf('.'))
    expect([key, schema[key]?.service]).toEqual([
      key,
      DEVICE.has(group) ? 'device' : group.replace(/_\d+$/, ''),
    ])
  }
})

it('a setting that came with a later release is refused to an older Bird by name, and is not in its schema', async () => {
  const rookery = await openTestConsole()
  const key = 'ssh.preauth_banner'
  // No release has followed the first yet: one that did would say so in its descriptor.
  for (const settings of [SETTINGS, ...descriptors.map((it) => it.settings)]) {
    const setting = settings[key] as { since?: string } | undefined
    if (!setting) continue
    setting.since = '3.1.0'
    onTestFinished(() => void delete setting.since)
  }
  const old = await registeredBird(rookery, { version: '3.0.0' })
  const { settings } = (await rookery.api.birdQueries.info({ node_id: old, settings: true })).device
  const { [key]: _later, ...known } = settings ?? {}
  expect(Object.keys((await rookery.api.configuration.schema({ node_id: old })).schema)).not.toContain(key)
  expect(Object.keys((await rookery.api.configuration.schema({})).schema)).toContain(key)

  const configured = (sent: object) =>
    rookery.post('/device/configure', { node_id: old, settings: JSON.stringify(sent) })
  const { status, json } = await configured({ ...known, [key]: 'Authorised use only' })
  expect([status, json['details']]).toEqual([400, { [key]: 'needs Bird 3.1.0; this one is 3.0.0' }])
  expect((await configured({ ...known, 'ssh.port': 2222 })).status).toBe(200)
})
