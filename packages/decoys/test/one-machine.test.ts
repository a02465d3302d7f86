// Whatever an intruder asks first: all decoys of a personality are one machine, and each Bird is another one.
import { expect, test } from 'vitest'
import { machineSettings, meet, NOW } from './first-contact.ts'
import { deriveFrom } from './session-context.ts'
import { descriptors } from '../src/descriptors.gen.ts'
import { bootedAt } from '../src/machine/boot-time.ts'
import { linuxKernel } from '../src/machine/linux-kernel.ts'
import { storyOf } from '../src/machine/story.ts'
import { builtInPersonalities, personalitySettings } from '../src/settings/personalities.ts'

const SEED = 'bird-1'
const derive = deriveFrom(SEED)
const personalities = builtInPersonalities(descriptors)

/** Host names, as the machines of this release are called. */
/** It takes datagrams and answers none, as real ones do. */
const SILENT: ReadonlySet<string> = new Set(['smb 138/udp'])
const NAMES =
  /BRN[\dA-F]{12}|WIN-[A-V\d]{11}|DESKTOP-[A-V\d]{7}|\b(?:srv|node|vm|host|nas|router|web|db|pbx)-[\da-f]{6}\b/g
const WINDOWS = /windows|microsoft|ntlmssp/i
/** Samba logs in by NTLM, too. */
const WINDOWS_ALONE = /windows|microsoft/i
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

test('the name that the owner sets is shown by every service of the machine', async () => {
  const windows = cases.find(({ name }) => name === 'windows-file-server')!
  const { said } = await meet({ ...windows.settings, 'smb.netbiosname': 'FILES01' }, SEED)
  for (const decoy of ['smb 445/tcp', 'smb 137/udp']) expect(said[decoy]).toContain('FILES01')
  expect(Object.values(said).join()).not.toMatch(NAMES)
})
