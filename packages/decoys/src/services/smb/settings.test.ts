// What each setting of the file share changes for an intruder.
import { expect, it } from 'vitest'
import { deriveFrom, testContext } from '../../../test/session-context.ts'
import { descriptors } from '../../descriptors.gen.ts'
import type { BirdSettings } from '../../session/session.ts'
import { defaultSettings } from '../../../test/default-settings.ts'
import { checkSettings } from '../../settings/settings.ts'
import { join, u32 } from '../../windows/fields.ts'
import { STATUS } from './protocol/codec/status.ts'
import {
  connected,
  namesIn,
  outputOf,
  queryDirectoryBody,
  smbClient,
} from '../../../lab/smb/windows/client.ts'
import { COMMAND } from './protocol/codec/header.ts'
import { openPipe, pointerTo } from '../../../lab/smb/windows/rpc-client.ts'
import { machineOf } from './products/windows/machine.ts'
import smb from './service.ts'

const PASSWORD = Buffer.alloc(16, 7)
const SRVSVC = ['4b324fc8-1670-01d3-1278-5a47bf6ee188', 3] as const

/** All texts of an answer of the server service. */
function serverService(settings: BirdSettings, opnum: number, stub: Buffer): string {
  const pipe = openPipe(connected({ settings, share: 'IPC$' }), 'srvsvc')
  pipe.bind(...SRVSVC)
  const answer = pipe.call(opnum, stub)
  return typeof answer === 'number' ? '' : answer.toString('utf16le')
}
const shares = (settings: BirdSettings): string =>
  serverService(
    settings,
    15,
    join(pointerTo('FILES'), u32(1), u32(1), u32(4), u32(0), u32(0), u32(0xffffffff), u32(0)),
  )
const server = (settings: BirdSettings): string => serverService(settings, 21, join(pointerTo('F'), u32(101)))

/** Names in the first message of a login, from the target information. */
function challenge(settings: BirdSettings): string {
  const client = smbClient({ settings })
  client.negotiate()
  client.login({ user: 'bob', ntHash: PASSWORD })
  const text = client.events.map(({ fields }) => String(fields['RESPONSE']).split(':')[5] ?? '').join('')
  return Buffer.from(text, 'hex').subarray(28).toString('utf16le')
}

const securityMode = (settings: BirdSettings): number =>
  smbClient({ settings }).negotiate().body.readUInt16LE(2)

const EFFECTS: Readonly<Record<string, () => void>> = {
  'smb.advanced.enabled': () => {
    expect(securityMode({ 'smb.advanced.serversigning': 'mandatory' })).toBe(1)
    expect(securityMode({ 'smb.advanced.serversigning': 'mandatory', 'smb.advanced.enabled': true })).toBe(3)
  },
  'smb.advanced.serversigning': () => {
    expect(securityMode({ 'smb.advanced.enabled': true, 'smb.advanced.serversigning': 'auto' })).toBe(1)
  },
  'smb.domain': () => {
    const member = { 'smb.netbios_domain.enabled': true, 'smb.domain': 'corp.example.net' }
    expect(challenge(member)).toContain('corp.example.net')
  },
  'smb.filetree': () => {
    const settings = { 'smb.filetree': [{ name: 'Plans.docx', type: 'file' }] }
    const client = connected({ settings })
    const id = client.open('', { options: 1 })
    const listing = client.request(COMMAND.queryDirectory, queryDirectoryBody(id, '*'))
    expect(namesIn(outputOf(listing))).toEqual(['.', '..', 'Plans.docx'])
  },
  'smb.guest.enabled': () => {
    const status = (isEnabled: boolean): number => {
      const client = smbClient({ settings: { 'smb.guest.enabled': isEnabled } })
      client.negotiate()
      return client.login({ user: 'bob', ntHash: PASSWORD }).header.status
    }
    expect([status(true), status(false)]).toEqual([STATUS.success, STATUS.logonFailure])
  },
  'smb.mode': () => {
    const build = (mode: string): string => {
      const client = smbClient({ settings: { 'smb.mode': mode, 'smb.netbiosname': '' } })
      client.negotiate()
      client.login({ user: 'bob', ntHash: PASSWORD })
      return String(client.events[0]?.fields['LOCALNAME'])
    }
    expect(build('windows-server-2019')).toMatch(/^WIN-[A-Z0-9]{11}$/)
    expect(build('windows-10')).toMatch(/^DESKTOP-[A-Z0-9]{7}$/)
  },
  'smb.netbios_domain.enabled': () => {
    const domain = { 'smb.domain': 'corp.example.net', 'smb.workgroup': 'CORP' }
    expect(challenge(domain)).not.toContain('corp.example.net')
    expect(challenge({ ...domain, 'smb.netbios_domain.enabled': true })).toContain('CORP')
  },
  'smb.netbiosname': () => expect(server({ 'smb.netbiosname': 'archive-2' })).toContain('ARCHIVE-2'),
  'smb.serverstring': () => expect(server({ 'smb.serverstring': 'Second floor' })).toContain('Second floor'),
  'smb.sharecomment': () => expect(shares({ 'smb.sharecomment': 'Scanned mail' })).toContain('Scanned mail'),
  'smb.sharename': () => {
    expect(shares({ 'smb.sharename': 'Public' })).toContain('Public')
    expect(
      connected({ settings: { 'smb.sharename': 'Public' }, share: 'Public' }).create('').header.status,
    ).toBe(0)
  },
  'smb.workgroup': () => {
    const pipe = openPipe(connected({ settings: { 'smb.workgroup': 'office' }, share: 'IPC$' }), 'wkssvc')
    pipe.bind('6bffd098-a112-3610-9833-46c3f87e345a', 1)
    const answer = pipe.call(0, join(pointerTo('F'), u32(100))) as Buffer
    expect(answer.toString('utf16le')).toContain('OFFICE')
  },
}

it.each(Object.keys(EFFECTS))('%s is seen', (key) => EFFECTS[key]?.())

it('what a Bird shows by itself is another one on each, and stays', () => {
  const names = (seed: number): string => {
    const client = smbClient({
      settings: { 'smb.netbiosname': '' },
      context: { derive: (label, length) => testContext().derive(`${seed} ${label}`, length) },
    })
    client.negotiate()
    client.login({ user: 'bob' })
    return String(client.events[0]?.fields['LOCALNAME'])
  }
  expect(names(1)).toBe(names(1))
  expect(names(1)).not.toBe(names(2))
})

const check = (change: BirdSettings) =>
  checkSettings(
    descriptors,
    defaultSettings(descriptors, { 'device.name': 'nas', 'smb.enabled': true, ...change }),
  )

it.each<[BirdSettings, RegExp]>([
  [{ 'smb.filetree': [{ name: 'a?', type: 'file' }] }, /^must be a tree .* a name that Windows allows/],
  [{ 'smb.filetree': 'Reports' }, /^must be a list of files and folders/],
  [{ 'smb.netbiosname': 'a name of blanks' }, /^must be a text of at most 15 characters/],
  [{ 'smb.netbiosname': 'a b' }, /^must be letters, digits and hyphens/],
  [{ 'smb.sharename': 'IPC$' }, /^must be a name that Windows allows for a share/],
  [{ 'smb.sharename': 'a/b' }, /^must be a name that Windows allows for a share/],
  [{ 'smb.sharename': '' }, /^must be a name that Windows allows for a share/],
  [{ 'smb.domain': 'corp' }, /^must be a domain name such as/],
  [{ 'smb.mode': 'os2' }, /^must be one of windows-server-2019, windows-10/],
  [{ 'smb.port': 22, 'ssh.enabled': true }, /^port 22 is also taken by ssh.port/],
])('%j is refused', (change, reason) => {
  const [key] = Object.keys(change)
  expect(check(change)[key ?? '']).toMatch(reason)
})

it('a listener stands while its own settings stay, and gives way when one changes', () => {
  const on = { 'smb.enabled': true }
  const dependsOn = (more: BirdSettings): unknown => smb.listeners({ ...on, ...more })[0]?.dependsOn
  expect(dependsOn({ 'ssh.port': 2_222 })).toBe(dependsOn({}))
  expect(dependsOn({ 'smb.sharename': 'Public' })).not.toBe(dependsOn({}))
  expect(smb.listeners({})).toEqual([])
})

it('each Bird has a GUID of version 4 (RFC 9562) and a disk of its own, the same after a restart', () => {
  const machines = Array.from({ length: 40 }, (_, i) => machineOf({}, deriveFrom(`seed ${i}`)))
  for (const { guid, volumeId } of machines)
    expect([guid, volumeId].map((each) => [each[7]! >> 4, each[8]! >> 6])).toEqual([
      [4, 2],
      [4, 2],
    ])
  expect(new Set(machines.map(({ guid }) => guid.toString('hex'))).size).toBe(40)
  expect(new Set(machines.map(({ volumeClusters }) => volumeClusters)).size).toBeGreaterThan(30)
  const again = machineOf({}, deriveFrom('seed 0'))
  expect([again.guid, again.volumeClusters]).toEqual([machines[0]!.guid, machines[0]!.volumeClusters])
})
