// Whatever an intruder asks first: all decoys of a personality are one machine, and each Bird is another one.
import { expect, test } from 'vitest'
import { converse, machineSettings, meet, NOW } from './first-contact.ts'
import { deriveFrom, testContext } from './session-context.ts'
import { binding, message, pdu } from '../lab/snmp/client.ts'
import { ack, readRequest } from '../lab/tftp/client.ts'
import { descriptors } from '../src/descriptors.gen.ts'
import { bootedAt } from '../src/machine/boot-time.ts'
import { linuxKernel } from '../src/machine/linux-kernel.ts'
import { storyOf } from '../src/machine/story.ts'
import { services } from '../src/services.gen.ts'
import { decodeMessage, PDU, type CommunityMessage } from '../src/services/snmp/protocol/message.ts'
import type { BirdSettings } from '../src/session/session.ts'
import { builtInPersonalities, personalitySettings } from '../src/settings/personalities.ts'

const SEED = 'bird-1'
const derive = deriveFrom(SEED)
const personalities = builtInPersonalities(descriptors)

/** It takes datagrams and answers none, as real ones do. */
const SILENT: ReadonlySet<string> = new Set(['smb 138/udp'])
/** Host names, as the machines of this release are called; in SNMP the `0` of the next element may follow. */
const NAMES =
  /BRN[\dA-F]{12}|WIN-[A-V\d]{11}|DESKTOP-[A-V\d]{7}|\b(?:srv|node|vm|host|nas|router|plc|web|db|pbx)-[\da-f]{6}(?![1-9a-f])/g
const WINDOWS = /windows|microsoft|ntlmssp/i
/** Samba logs in by NTLM, too. */
const WINDOWS_ALONE = /windows|microsoft/i
/** What a device with a firmware of its own is not. */
const DEVICES: ReadonlySet<string> = new Set(['plc', 'printer', 'router'])
const DISTRIBUTION = /debian|ubuntu|deb\d+u\d|openssh|cisco/i
const UNIX = /linux|debian|ubuntu|unix|samba|apache|nginx|lighttpd|openssh|gcc|\/etc\/|\/var\//i

/** Besides personalities, every Linux service that tells a name, on one machine. */
const cases = [
  ...personalities.map((personality) => ({
    name: personality.name,
    settings: machineSettings(personalitySettings(personality)),
  })),
  {
    name: 'all of Linux',
    settings: machineSettings({
      ...Object.fromEntries(
        ['dbsrv_b', 'ftp', 'http', 'https', 'redis', 'ssh', 'telnet'].map((service) => [
          `${service}.enabled`,
          true,
        ]),
      ),
      'http.skin': 'apache-default',
    }),
  },
  {
    name: 'a Windows web server',
    settings: machineSettings({
      'http.enabled': true,
      'https.enabled': true,
      'smb.enabled': true,
      'dbsrv_a.enabled': true,
      'http.skin': 'iis-default',
    }),
  },
]

/** The values that SNMP has for these names, each as an element. */
function ask(settings: BirdSettings, names: readonly string[]): readonly Buffer[] {
  const listener = services['snmp']!.listeners(settings)[0]!
  const question = message(
    1,
    'public',
    pdu(
      PDU.get,
      names.map((name) => binding(name)),
    ),
  )
  const { text } = converse(listener, derive, [question])
  const answer = decodeMessage(Buffer.from(text, 'latin1')) as CommunityMessage
  return answer.pdu.bindings.map(({ value }) => value)
}

test.each(cases)('$name: one name, one system, one kernel, one uptime', async ({ settings }) => {
  const { said, certificates } = await meet(settings, SEED)
  const story = storyOf(settings, derive)
  const text = Object.values(said).join('\n')
  const shown = [...text.matchAll(NAMES)].map(([name]) => name)
  for (const { subject } of Object.values(certificates)) shown.push(subject.replace(/^CN=/, ''))
  const tells = ['smb', 'dbsrv_a', 'https', 'dbsrv_b', 'telnet', 'httpproxy', 'snmp'].some(
    (service) => settings[`${service}.enabled`] === true,
  )
  expect([...new Set(shown)]).toEqual(tells ? [story.hostName] : [])

  const isWindows = story.kind.startsWith('windows')
  for (const [decoy, answer] of Object.entries(said)) {
    if (!SILENT.has(decoy)) expect(answer, decoy).not.toBe('')
    const others = isWindows ? UNIX : decoy.startsWith('smb') ? WINDOWS_ALONE : WINDOWS
    expect(answer, decoy).not.toMatch(others)
    if (DEVICES.has(story.kind)) expect(answer, decoy).not.toMatch(DISTRIBUTION)
  }
  const debian = [...text.matchAll(/(?:deb|debian-?)(\d+)u\d/gi)].map(([, release]) => release)
  expect(new Set(debian).size, debian.join()).toBeLessThanOrEqual(1)
  const kernels = [...text.matchAll(/\d+\.\d+\.\d+-\d+-amd64/g)].map(([kernel]) => kernel)
  for (const kernel of kernels) expect(kernel).toBe(linuxKernel(derive))
  const uptime = /uptime_in_seconds:(\d+)/.exec(text)?.[1]
  const sinceBoot = (NOW - bootedAt(derive, NOW)) / 1_000
  if (uptime !== undefined) expect(sinceBoot - Number(uptime)).toBeLessThan(20)
})

test.each(cases)(
  '$name: no file is older than the machine, none is newer than now, and its clock is right',
  async ({ settings }) => {
    const { said, certificates } = await meet(settings, SEED)
    const { kind, installedAt } = storyOf(settings, derive)
    const text = Object.values(said).join('\n')
    for (const [, date] of text.matchAll(/\r\nLast-Modified: ([^\r]+)/g)) {
      expect(Date.parse(date!)).toBeGreaterThan(installedAt)
      expect(Date.parse(date!)).toBeLessThan(NOW)
    }
    for (const [, date] of text.matchAll(/\r\nDate: ([^\r]+)/g)) expect(Date.parse(date!)).toBe(NOW)
    const shown = Object.values(certificates)
    for (const { validFrom } of shown) {
      // Debian makes one when it is installed, an administrator of Windows later.
      if (kind.startsWith('windows')) expect(Date.parse(validFrom)).toBeGreaterThan(installedAt)
      else expect(Date.parse(validFrom)).toBe(installedAt)
      expect(Date.parse(validFrom)).toBeLessThan(NOW)
    }
    expect(new Set(shown.map(({ fingerprint256 }) => fingerprint256)).size).toBeLessThanOrEqual(1)
  },
)

test.each(cases)('$name: the name and description of the Bird change nothing', async ({ settings }) => {
  const renamed = {
    ...settings,
    'device.name': 'HQ decoy 7',
    'device.desc': 'cellar',
    'device.personality': 'mine',
  }
  const [before, after] = [await meet(settings, SEED), await meet(renamed, SEED)]
  expect(after.said).toEqual(before.said)
  expect(Object.values(after.certificates).map(String)).toEqual(
    Object.values(before.certificates).map(String),
  )
})

test.each(cases)(
  '$name: another Bird has another name, and shows it wherever this one shows its own',
  async ({ settings }) => {
    const [{ said: own }, { said: others }] = [await meet(settings, SEED), await meet(settings, 'bird-2')]
    const names = (said: Readonly<Record<string, string>>): string[] =>
      Object.values(said).flatMap((text) => [...text.matchAll(NAMES)].map(([name]) => name))
    expect(names(others)).toHaveLength(names(own).length)
    for (const name of names(others)) expect(names(own)).not.toContain(name)
  },
)

const withSnmp = cases.filter(({ settings }) => settings['snmp.enabled'] === true)
const ADDRESS = '1.3.6.1.2.1.2.2.1.6.1'

test('a printer, a router and a PLC are asked by SNMP', () => {
  expect(withSnmp.map(({ name }) => name)).toEqual(['printer', 'router', 'plc'])
})

test.each(withSnmp)('$name: SNMP tells its start and its address', ({ settings }) => {
  const { hardwareAddress } = storyOf(settings, derive)
  const [uptime, address] = ask(settings, ['1.3.6.1.2.1.1.3.0', ADDRESS]).map((value) => value!.subarray(2))
  const sinceBoot = (NOW - bootedAt(derive, NOW)) / 1_000
  expect(sinceBoot - uptime!.readUIntBE(0, uptime!.length) / 100).toBeLessThan(60)
  expect(sinceBoot - uptime!.readUIntBE(0, uptime!.length) / 100).toBeGreaterThanOrEqual(0)
  if (address!.length > 0) expect(address).toEqual(hardwareAddress)
})

const settingsOf = (personality: string, changes: BirdSettings = {}): BirdSettings => ({
  ...cases.find(({ name }) => name === personality)!.settings,
  ...changes,
})

test.each(['bird-1', 'bird-2', 'bird-3', 'bird-5'])(
  'a controller is one device to Modbus, SNMP and its web server (%s)',
  async (seed) => {
    const settings = settingsOf('plc')
    const { said } = await meet(settings, seed)
    const { controller, hostName, hardwareAddress } = storyOf(settings, deriveFrom(seed))
    const [vendor, code, revision, , product] = controller.identity
    expect(hardwareAddress.toString('hex')).toMatch(new RegExp(`^${controller.makerPrefix}`))
    for (const text of [vendor, code, revision, product]) {
      expect(said['modbus 502/tcp']).toContain(text)
      expect(said['snmp 161/udp']).toContain(text)
    }
    expect(said['snmp 161/udp']).toContain(hostName)
    expect(said['snmp 161/udp']).toContain(controller.serial)
    expect(said['http 80/tcp']).toContain(`\r\nWWW-Authenticate: Basic realm="${product}"\r\n`)
    expect(said['http 80/tcp']).toContain('\r\nServer: Apache\r\n')
  },
)

test('what the owner calls a controller is said by Modbus, SNMP and its web server', async () => {
  const named = { 'modbus.vendorname': 'Acme', 'modbus.productname': 'Kiln "7"', 'modbus.productcode': 'K7' }
  const { said } = await meet(settingsOf('plc', named), SEED)
  for (const decoy of ['modbus 502/tcp', 'snmp 161/udp'])
    for (const text of Object.values(named)) expect(said[decoy]).toContain(text)
  expect(said['http 80/tcp']).toContain('realm="Kiln \\"7\\""')
  const wago = settingsOf('plc', { 'modbus.vendorname': 'WAGO' })
  expect(storyOf(wago, derive).hardwareAddress.toString('hex')).toMatch(/^0030de/)
})

test.each(['bird-1', 'bird-2'])(
  'a router is one gateway to Telnet, SNMP, TFTP and its pages (%s)',
  async (seed) => {
    const settings = settingsOf('router', { 'telnet.banner': '%s %r' })
    const { said } = await meet(settings, seed)
    const { hostName } = storyOf(settings, deriveFrom(seed))
    const [tftp] = services['tftp']!.listeners(settings)
    const inOneBlock = readRequest('startup-config', 'octet', [['blksize', '2048']])
    const config = converse(tftp!, deriveFrom(seed), [inOneBlock, ack(0)]).text
    const described = new RegExp(`Linux ${hostName} (\\S+) (#1 SMP .*? 2017) mips`).exec(
      said['snmp 161/udp']!,
    )
    const [, kernel, build] = described!
    expect(config).toContain(`! VDSL Gateway, Linux ${kernel} ${build}\n`)
    expect(config).toContain(`\nhostname ${hostName}\n`)
    const [telnet] = services['telnet']!.listeners(settings)
    let now = NOW
    const session = telnet!.startSession(testContext({ derive: deriveFrom(seed), now: () => now }))
    now += session.open()?.wakeMs ?? 0
    const greeting = session.wake()?.send?.toString('latin1')
    expect(greeting).toBe(`\r\r\nLinux ${kernel}\r\n\r${hostName} login: `)
    expect(said['http 80/tcp']).toContain('<span>VDSL Gateway</span>')
    const names = Array.from({ length: 9 }, (_, at) => `1.3.6.1.2.1.2.2.1.2.${at + 1}`)
    const interfaces = ask(settings, names).map((value) => value.subarray(2).toString('latin1'))
    for (const [, name] of config.matchAll(/^interface (\S+)$/gm)) expect(interfaces).toContain(name)
    const [address] = ask(settings, ['1.3.6.1.2.1.4.20.1.1.192.0.2.1'])
    expect(address!.subarray(2)).toEqual(Buffer.from([192, 0, 2, 1]))
    expect(config).toContain('\n ip address 192.0.2.1 255.255.255.0\n')
  },
)

test('a printer is one model to its pages, SNMP and its raw port', async () => {
  const { said } = await meet(settingsOf('printer'), SEED)
  expect(said['tcpbanner_1 9100/tcp']).toContain('"Brother MFC-8860DN"')
  const [model] = ask(settingsOf('printer'), ['1.3.6.1.2.1.43.5.1.1.16.1'])
  expect(model!.toString('latin1')).toContain('Brother MFC-8860DN')
  const settings = settingsOf('printer')
  const listener = services['http']!.listeners(settings)[0]!
  const page = Buffer.from('GET /main/main.html HTTP/1.1\r\nHost: 192.0.2.1\r\n\r\n')
  const { text } = converse(listener, derive, [page])
  expect(text).toContain('<title>Brother MFC-8860DN</title>')
  // Its first tray has paper of this size, its other one none (RFC 3805: name, level), and toner is left.
  expect(text).toMatch(/Tray 1<\/th>\s*<td>A4.*MP Tray<\/th>\s*<td>empty/s)
  expect(text).toMatch(/Toner<\/th>\s*<td>OK/)
  const tray = '1.3.6.1.2.1.43.8.2.1'
  const shown = ask(settings, [`${tray}.12.1.1`, `${tray}.10.1.2`, '1.3.6.1.2.1.43.11.1.1.9.1.1'])
  expect(shown.map((value) => value.subarray(2).toString('latin1'))).toEqual(['A4', '\0', '\xfd'])
})

test('the name that the owner sets is shown by every service of the machine', async () => {
  const windows = cases.find(({ name }) => name === 'windows-file-server')!
  const { said } = await meet({ ...windows.settings, 'smb.netbiosname': 'FILES01' }, SEED)
  for (const decoy of ['smb 445/tcp', 'smb 137/udp']) expect(said[decoy]).toContain('FILES01')
  expect(Object.values(said).join()).not.toMatch(NAMES)
})
