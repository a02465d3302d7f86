// The Windows machine that the share belongs to: names, numbers and users, from settings and the Bird's own seed.
import type { BirdSettings } from '../../session.ts'
import { accountsOf, type Account } from './accounts.ts'
import type { TargetNames } from '../../windows/ntlm.ts'
import type { NodeSetting } from './tree/node-setting.ts'
import { officeTree } from './tree/office-tree.ts'
import { draw, type Derive } from './tree/draw.ts'
import { shareTree, type DirectoryNode } from './tree/tree.ts'

export interface Edition {
  readonly title: string
  /** Of NTLM's version field. */
  readonly build: number
  readonly namePrefix: string
  readonly nameLetters: number
  /** SV_TYPE bits of srvsvc ([MS-SRVS] 2.2.2.7). */
  readonly serverType: number
  /** Most users of a share; 20 on a workstation. */
  readonly maxUsers: number
}

export const EDITIONS: Readonly<Record<string, Edition>> = {
  'windows-server-2019': {
    title: 'Windows Server 2019',
    build: 17_763,
    namePrefix: 'WIN-',
    nameLetters: 11,
    serverType: 0x9003,
    maxUsers: 0xffffffff,
  },
  'windows-10': {
    title: 'Windows 10',
    build: 19_041,
    namePrefix: 'DESKTOP-',
    nameLetters: 7,
    serverType: 0x1003,
    maxUsers: 20,
  },
}

export interface Machine {
  readonly edition: Edition
  readonly names: TargetNames
  /** What the NetBIOS domain or workgroup is called. */
  readonly workgroup: string
  readonly comment: string
  readonly share: { readonly name: string; readonly comment: string }
  readonly isGuestEnabled: boolean
  readonly isSigningRequired: boolean
  readonly guid: Buffer
  readonly volumeSerial: number
  /** Of its disk, in clusters of 4 KiB. */
  readonly volumeClusters: number
  /** The object id of the volume. */
  readonly volumeId: Buffer
  /** When its file system was made: FILETIME of milliseconds UTC. */
  readonly installedAt: number
  /** The identifier part of its SID, such as 21-…-…-…. */
  readonly sid: readonly number[]
  readonly accounts: readonly Account[]
  readonly tree: DirectoryNode
  readonly derive: Derive
}

/** What the machine says of itself, whichever service is asked. */
export type Computer = Pick<Machine, 'edition' | 'names' | 'workgroup'>

const textOf = (settings: BirdSettings, key: string): string => {
  const value = settings[`smb.${key}`]
  return typeof value === 'string' ? value : ''
}

export function computerOf(settings: BirdSettings, derive: Derive): Computer {
  const edition = EDITIONS[textOf(settings, 'mode')] ?? EDITIONS['windows-server-2019']!
  const computer = textOf(settings, 'netbiosname').toUpperCase() || computerName(edition, derive)
  const workgroup = textOf(settings, 'workgroup').toUpperCase()
  const isMember = settings['smb.netbios_domain.enabled'] === true
  return {
    edition,
    names: targetNames(computer, workgroup, textOf(settings, 'domain'), isMember),
    workgroup,
  }
}

export function machineOf(settings: BirdSettings, derive: Derive): Machine {
  const text = (key: string): string => textOf(settings, key)
  const isOn = (key: string): boolean => settings[`smb.${key}`] === true
  const numbers = derive('smb/machine', 44)
  return {
    ...computerOf(settings, derive),
    comment: text('serverstring'),
    share: { name: text('sharename'), comment: text('sharecomment') },
    isGuestEnabled: isOn('guest.enabled'),
    isSigningRequired: isOn('advanced.enabled') && text('advanced.serversigning') === 'mandatory',
    guid: randomGuid(numbers.subarray(0, 16)),
    volumeSerial: numbers.readUInt32LE(16),
    volumeClusters: volumeClusters(derive),
    volumeId: randomGuid(derive('smb/volume', 16)),
    installedAt: Date.UTC(2022, 0, 10) + (numbers.readUInt32LE(20) % 31_536_000) * 1_000,
    sid: [21, numbers.readUInt32LE(24), numbers.readUInt32LE(28), numbers.readUInt32LE(32)],
    accounts: accountsOf(derive),
    tree: shareTree(nodesOf(settings['smb.filetree'], derive), derive),
    derive,
  }
}

/** As UuidCreate makes them: version 4 and its variant (RFC 9562, 5.4), the first three fields little-endian. */
function randomGuid(bytes: Buffer): Buffer {
  const guid = Buffer.from(bytes)
  guid[7] = 0x40 | (guid[7]! & 0x0f)
  guid[8] = 0x80 | (guid[8]! & 0x3f)
  return guid
}

/** Disks of virtual machines have whole gigabytes; partitions before the volume take some of the first. */
function volumeClusters(derive: Derive): number {
  const { pick, between } = draw(derive, 'smb/disk')
  const clustersOfGigabyte = 262_144
  return (
    pick([250, 300, 400, 500, 600, 750, 800, 1_000, 1_500, 2_000]) * clustersOfGigabyte -
    256 * between(1, 600)
  )
}

/** Settings were checked before they came here (`filetree`). */
const nodesOf = (value: unknown, derive: Derive): readonly NodeSetting[] =>
  Array.isArray(value) && value.length > 0 ? (value as readonly NodeSetting[]) : officeTree(derive)

/** The name that Windows gives a new machine. */
function computerName({ namePrefix, nameLetters }: Edition, derive: Derive): string {
  const { pick } = draw(derive, 'smb/name')
  return namePrefix + Array.from({ length: nameLetters }, () => pick([...LETTERS])).join('')
}
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUV0123456789'

function targetNames(computer: string, workgroup: string, domain: string, isDomain: boolean): TargetNames {
  if (!isDomain || domain === '') {
    return {
      isDomain: false,
      netbiosDomain: computer,
      netbiosComputer: computer,
      dnsDomain: computer,
      dnsComputer: computer,
    }
  }
  return {
    isDomain: true,
    netbiosDomain: workgroup,
    netbiosComputer: computer,
    dnsDomain: domain,
    dnsComputer: `${computer}.${domain}`,
  }
}
