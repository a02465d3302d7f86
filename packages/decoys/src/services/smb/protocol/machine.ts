// The Windows machine that the share belongs to: names, numbers and users, from settings and the Bird's own seed.
import type { BirdSettings } from '../../../session/session.ts'
import { bootedAt } from '../../../machine/boot-time.ts'
import { draw, type Derive } from '../../../machine/draw.ts'
import { storyOf, type Story } from '../../../machine/story.ts'
import { accountsOf, type Account } from './accounts.ts'
import type { NodeSetting } from './tree/node-setting.ts'
import { officeTree } from './tree/office-tree.ts'
import { shareTree, type DirectoryNode } from './tree/tree.ts'

export interface Machine extends Pick<
  Story,
  'edition' | 'names' | 'workgroup' | 'hardwareAddress' | 'installedAt'
> {
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
  /** The identifier part of its SID, such as 21-…-…-…. */
  readonly sid: readonly number[]
  readonly accounts: readonly Account[]
  readonly tree: DirectoryNode
  /** How long it is up, in milliseconds. */
  readonly uptimeMs: (now: number) => number
  readonly derive: Derive
}

export function machineOf(settings: BirdSettings, derive: Derive): Machine {
  const text = (key: string): string => {
    const value = settings[`smb.${key}`]
    return typeof value === 'string' ? value : ''
  }
  const isOn = (key: string): boolean => settings[`smb.${key}`] === true
  // A machine with such a share is a Windows one.
  const story = storyOf({ ...settings, 'smb.enabled': true }, derive)
  const { edition, names, workgroup, hardwareAddress, installedAt } = story
  const numbers = derive('smb/machine', 44)
  return {
    edition,
    names,
    workgroup,
    hardwareAddress,
    installedAt,
    comment: text('serverstring'),
    share: { name: text('sharename'), comment: text('sharecomment') },
    isGuestEnabled: isOn('guest.enabled'),
    isSigningRequired: isOn('advanced.enabled') && text('advanced.serversigning') === 'mandatory',
    guid: randomGuid(numbers.subarray(0, 16)),
    volumeSerial: numbers.readUInt32LE(16),
    volumeClusters: volumeClusters(derive),
    volumeId: randomGuid(derive('smb/volume', 16)),
    sid: [21, numbers.readUInt32LE(24), numbers.readUInt32LE(28), numbers.readUInt32LE(32)],
    accounts: accountsOf(story.users),
    tree: shareTree(nodesOf(settings['smb.filetree'], derive), derive),
    uptimeMs: (now) => now - bootedAt(derive, now),
    derive,
  }
}

/** As UuidCreate makes them: version 4 and its variant (RFC 9562, 5.4), the first three fields little-endian. */
export function randomGuid(bytes: Buffer): Buffer {
  const guid = Buffer.from(bytes)
  guid[7] = 0x40 | (guid[7]! & 0x0f)
  guid[8] = 0x80 | (guid[8]! & 0x3f)
  return guid
}

/** Disks of virtual machines have whole gigabytes; partitions before the volume take some of the first. */
export function volumeClusters(derive: Derive): number {
  const { pick, between } = draw(derive, 'smb/disk')
  const clustersOfGigabyte = 262_144
  return (
    pick([250, 300, 400, 500, 600, 750, 800, 1_000, 1_500, 2_000]) * clustersOfGigabyte -
    256 * between(1, 600)
  )
}

/** Settings were checked before they came here (`filetree`). */
export const nodesOf = (value: unknown, derive: Derive): readonly NodeSetting[] =>
  Array.isArray(value) && value.length > 0 ? (value as readonly NodeSetting[]) : officeTree(derive)
