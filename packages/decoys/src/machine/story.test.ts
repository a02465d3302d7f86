// What the services of one machine tell alike, and no two machines.
import { expect, test } from 'vitest'
import { deriveFrom } from '../../test/session-context.ts'
import { descriptors } from '../descriptors.gen.ts'
import type { BirdSettings } from '../session/session.ts'
import { defaultSettings } from '../../test/default-settings.ts'
import { settingDescriptors } from '../settings/settings.ts'
import { valueProblem } from '../settings/setting-value.ts'
import { bootedAt } from './boot-time.ts'
import { lanAddress } from './gateway.ts'
import { storyKey, storyOf } from './story.ts'

const DAY_MS = 86_400_000
const NOW = Date.UTC(2026, 10, 20, 9, 39, 2)
const seeds = Array.from({ length: 100 }, (_, i) => `seed ${i}`)

const WINDOWS = { 'smb.enabled': true }
const WORKSTATION = { 'smb.enabled': true, 'smb.mode': 'windows-10' }
const NAS = { 'http.enabled': true, 'http.skin': 'nas' }
const LINUX = { 'ssh.enabled': true }
const PLC = { 'modbus.enabled': true }
const MACHINES: readonly BirdSettings[] = [WINDOWS, WORKSTATION, NAS, LINUX, PLC]

const story = (settings: BirdSettings, seed = 'seed 0') =>
  storyOf(defaultSettings(descriptors, { 'device.name': 'Bird', ...settings }), deriveFrom(seed))

test.each(MACHINES)(
  'two Birds with %j share no name, address or time; one has the same always',
  (settings) => {
    const stories = seeds.map((seed) => story(settings, seed))
    const distinct = (values: readonly unknown[]): number => new Set(values).size
    expect(distinct(stories.map(({ hostName }) => hostName))).toBe(seeds.length)
    expect(distinct(stories.map(({ hardwareAddress }) => hardwareAddress.toString('hex')))).toBe(seeds.length)
    expect(distinct(stories.map(({ installedAt }) => installedAt))).toBe(seeds.length)
    expect(distinct(seeds.map((seed) => bootedAt(deriveFrom(seed), NOW)))).toBe(seeds.length)
    expect(distinct(stories.map(({ users }) => users.join()))).toBeGreaterThan(seeds.length * 0.9)
    expect(seeds.map((seed) => story(settings, seed))).toEqual(stories)
  },
)

test.each([
  [WINDOWS, 'windows-server', /^WIN-[A-V\d]{11}$/],
  [{ 'dbsrv_a.enabled': true }, 'windows-server', /^WIN-[A-V\d]{11}$/],
  [WORKSTATION, 'windows-workstation', /^DESKTOP-[A-V\d]{7}$/],
  [NAS, 'nas', /^nas-[\da-f]{6}$/],
  [{ 'https.enabled': true, 'http.skin': 'router' }, 'router', /^router-[\da-f]{6}$/],
  [{ 'http.enabled': true, 'http.skin': 'printer' }, 'printer', /^BRN[\dA-F]{12}$/],
  [{ 'snmp.enabled': true, 'http.skin': 'printer' }, 'printer', /^BRN[\dA-F]{12}$/],
  [{ 'snmp.enabled': true, 'http.skin': 'router' }, 'router', /^router-[\da-f]{6}$/],
  [{ 'snmp.enabled': true, 'http.skin': 'nas' }, 'linux', /^(srv|node|vm|host)-[\da-f]{6}$/],
  [{ 'modbus.enabled': true, 'snmp.enabled': true, 'http.skin': 'nas' }, 'plc', /^plc-[\da-f]{6}$/],
  [{ 'modbus.enabled': true, 'http.enabled': true, 'http.skin': 'basic-auth' }, 'plc', /^plc-[\da-f]{6}$/],
  [{ 'modbus.enabled': true, 'dbsrv_a.enabled': true }, 'windows-server', /^WIN-[A-V\d]{11}$/],
  [{ 'sip.enabled': true }, 'phone-system', /^pbx-[\da-f]{6}$/],
  [{ 'http.enabled': true, 'http.skin': 'iis-default' }, 'windows-server', /^WIN-[A-V\d]{11}$/],
  [{ 'http.enabled': true, 'http.skin': 'portal' }, 'linux', /^(srv|node|vm|host)-[\da-f]{6}$/],
  [{ ...LINUX, 'http.skin': 'nas' }, 'linux', /^(srv|node|vm|host)-[\da-f]{6}$/],
])('a Bird with %j is a %s', (settings, kind, name) => {
  for (const seed of seeds) {
    const { kind: shown, hostName } = storyOf(settings, deriveFrom(seed))
    expect([shown, hostName]).toEqual([kind, expect.stringMatching(name)])
  }
})

test('neither the Bird’s own name, nor what it is used for, changes the machine', () => {
  const renamed = { 'device.name': 'HQ decoy 7', 'device.desc': 'cellar', 'device.personality': 'mine' }
  for (const settings of MACHINES) {
    expect(story({ ...settings, ...renamed })).toEqual(story(settings))
    const other = defaultSettings(descriptors, { ...settings, ...renamed })
    expect(storyKey(other)).toBe(storyKey(defaultSettings(descriptors, settings)))
  }
})

test('the name that the owner gives it is the name of the machine', () => {
  const { hostName, names } = story({ ...WINDOWS, 'smb.netbiosname': 'files01' })
  expect([hostName, names.dnsComputer]).toEqual(['FILES01', 'FILES01'])
  const member = {
    'smb.netbios_domain.enabled': true,
    'smb.domain': 'corp.example.net',
    'smb.workgroup': 'corp',
  }
  expect(story({ ...WINDOWS, ...member, 'smb.netbiosname': 'files01' }).names).toEqual({
    isDomain: true,
    netbiosDomain: 'CORP',
    netbiosComputer: 'FILES01',
    dnsDomain: 'corp.example.net',
    dnsComputer: 'FILES01.corp.example.net',
  })
})

test('a host name of the owner’s choice is that of any machine; the NetBIOS name of Windows wins', () => {
  const shown = (settings: BirdSettings) => story({ ...settings, 'device.host_name': 'till-3' })
  expect(shown({}).hostName).toBe('till-3')
  expect(shown(NAS).names.netbiosComputer).toBe('till-3')
  expect(shown(WINDOWS).hostName).toBe('TILL-3')
  expect(shown({ ...WINDOWS, 'smb.netbiosname': 'files01' }).hostName).toBe('FILES01')
  for (const wrong of ['till 3', '-till', 'till_3', 'x'.repeat(16), '42'])
    expect(valueProblem(settingDescriptors([])['device.host_name']!, wrong)).toContain('must be a')
})

test('the hardware address is the machine’s own, unless software made it up', () => {
  const address = (mac: string): string =>
    story({ ...NAS, 'device.mac': mac }).hardwareAddress.toString('hex')
  expect(address('00:25:90:1A:2b:3c')).toBe('0025901a2b3c')
  expect(story({ ...NAS, 'device.mac': '00:25:90:1a:2b:3c' }).hostName).toBe('nas-1a2b3c')
  for (const mac of ['', '02:42:ac:11:00:02', '00:00:00:00:00:00', 'eth0'])
    expect(address(mac)).toMatch(/^0014fd/)
})

test('the drawn hardware address begins with the prefix of choice; that of the machine stays', () => {
  const shown = (prefix: string, mac = '') =>
    story({ ...NAS, 'device.mac': mac, 'device.mac_prefix': prefix })
  for (const prefix of ['00:11:32', '00-11-32', '001132', '00:1A:A9'])
    expect(shown(prefix).hardwareAddress.toString('hex', 0, 3)).toBe(
      prefix.replaceAll(/[:-]/g, '').toLowerCase(),
    )
  expect(shown('00:11:32').hardwareAddress.subarray(3)).toEqual(shown('').hardwareAddress.subarray(3))
  expect(shown('00:11:32', '00:25:90:1a:2b:3c').hardwareAddress.toString('hex')).toBe('0025901a2b3c')
  const wrong = ['00:11', '02:11:32', '01:11:32', '00:11:32:44', 'synology', '00:11:3g']
  for (const prefix of wrong)
    expect(valueProblem(settingDescriptors([])['device.mac_prefix']!, prefix)).toBe(
      `must be the first three bytes of a maker’s address, such as 00:11:32, or empty, not "${prefix}"`,
    )
})

test('uptime goes on from day to day; a restart comes every 20 to 84 days', () => {
  for (const seed of seeds) {
    const derive = deriveFrom(seed)
    const boots = Array.from({ length: 400 }, (_, day) => bootedAt(derive, NOW + day * DAY_MS))
    boots.forEach((boot, day) => {
      const age = NOW + day * DAY_MS - boot
      expect(age).toBeGreaterThanOrEqual(0)
      expect(age).toBeLessThan(85 * DAY_MS)
    })
    const starts = [...new Set(boots)]
    starts.slice(1).forEach((start, i) => expect(start - starts[i]!).toBeGreaterThanOrEqual(20 * DAY_MS))
    expect(storyOf(LINUX, derive).installedAt).toBeLessThan(starts[0]!)
  }
})

test('a router shows the address that it was asked at, but none of its own loopback', () => {
  const drawn = /^192\.168\.[01]\.1$/
  expect(lanAddress('192.0.2.7', deriveFrom('seed 0'))).toBe('192.0.2.7')
  for (const asked of ['127.0.0.1', '2001:db8::7', ''])
    expect(lanAddress(asked, deriveFrom('seed 0'))).toMatch(drawn)
})
