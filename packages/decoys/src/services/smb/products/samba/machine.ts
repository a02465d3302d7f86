// The machine with Samba: a NAS or a Linux server, from the settings and the Bird's own seed.
import { draw, type Derive } from '../../../../machine/draw.ts'
import { storyOf, type Story } from '../../../../machine/story.ts'
import type { BirdSettings } from '../../../../session/session.ts'
import { randomGuid, nodesOf, volumeClusters } from '../../protocol/machine.ts'
import { shareTree, type DirectoryNode } from '../../protocol/tree/tree.ts'
import { ext4 } from './files/file-system.ts'

export const VERSION = '4.17.12-Debian'

export interface SambaMachine {
  /** Upper case, at most 15 characters. */
  readonly netbiosName: string
  /** What the kernel calls the machine. */
  readonly hostName: string
  readonly workgroup: string
  readonly hardwareAddress: Buffer
  readonly comment: string
  readonly share: { readonly name: string; readonly comment: string }
  readonly isGuestEnabled: boolean
  readonly isSigningRequired: boolean
  /** The name in small letters, as Samba makes it. */
  readonly guid: Buffer
  readonly volumeSerial: number
  /** Of its disk, in blocks of 1 KiB. */
  readonly volumeBlocks: number
  readonly freeBlocks: number
  readonly volumeId: Buffer
  /** The number of the device, in file ids. */
  readonly device: number
  /** The identifier part of its SID, such as 21-…-…-…. */
  readonly sid: readonly number[]
  /** Accounts of Samba's own database: the users of the machine. */
  readonly users: readonly string[]
  /** Who owns the files: user and group ids. */
  readonly owner: number
  readonly tree: DirectoryNode
  readonly installedAt: number
}

const MAX_NETBIOS = 15

export function sambaMachine(settings: BirdSettings, derive: Derive): SambaMachine {
  const text = (key: string): string => {
    const value = settings[`smb.${key}`]
    return typeof value === 'string' ? value : ''
  }
  const isOn = (key: string): boolean => settings[`smb.${key}`] === true
  const story: Story = storyOf(settings, derive)
  const netbiosName = (text('netbiosname') || story.hostName).slice(0, MAX_NETBIOS).toUpperCase()
  const numbers = derive('smb/machine', 44)
  const guid = Buffer.alloc(16)
  guid.write(netbiosName.toLowerCase(), 'latin1')
  const volumeBlocks = 4 * volumeClusters(derive)
  return {
    netbiosName,
    hostName: story.hostName,
    workgroup: story.workgroup,
    hardwareAddress: story.hardwareAddress,
    comment: text('serverstring') || `Samba ${VERSION}`,
    share: { name: text('sharename'), comment: text('sharecomment') },
    isGuestEnabled: isOn('guest.enabled'),
    isSigningRequired: isOn('advanced.enabled') && text('advanced.serversigning') === 'mandatory',
    guid,
    volumeSerial: numbers.readUInt32LE(16),
    volumeBlocks,
    freeBlocks: Math.floor(volumeBlocks / 6) + (numbers.readUInt32LE(20) % Math.floor(volumeBlocks / 3)),
    volumeId: randomGuid(derive('smb/volume', 16)),
    device: 0xfe00 + draw(derive, 'smb/device').between(0, 3),
    sid: [21, numbers.readUInt32LE(24), numbers.readUInt32LE(28), numbers.readUInt32LE(32)],
    users: story.users,
    owner: 1_000,
    tree: shareTree(nodesOf(settings['smb.filetree'], derive), derive, ext4(derive)),
    installedAt: story.installedAt,
  }
}
