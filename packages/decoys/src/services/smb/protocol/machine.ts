// What every machine with a share has: from the settings and the Bird's own seed.
import type { BirdSettings } from '../../../session/session.ts'
import { draw, type Derive } from '../../../machine/draw.ts'
import type { NodeSetting } from './tree/node-setting.ts'
import { officeTree } from './tree/office-tree.ts'
import type { DirectoryNode } from './tree/tree.ts'

export interface ShareMachine {
  /** Upper case, at most 15 characters. */
  readonly netbiosName: string
  readonly workgroup: string
  readonly hardwareAddress: Buffer
  readonly installedAt: number
  readonly comment: string
  readonly share: { readonly name: string; readonly comment: string }
  readonly isGuestEnabled: boolean
  readonly isSigningRequired: boolean
  readonly guid: Buffer
  readonly volumeSerial: number
  /** The object id of the volume. */
  readonly volumeId: Buffer
  /** The identifier part of its SID, such as 21-…-…-…. */
  readonly sid: readonly number[]
  readonly tree: DirectoryNode
}

/** Those that are the same whatever the product; `numbers` are 44 bytes, of which the first 16 are used for nothing here. */
export function shareFacts(settings: BirdSettings, derive: Derive) {
  const text = (key: string): string => {
    const value = settings[`smb.${key}`]
    return typeof value === 'string' ? value : ''
  }
  const isOn = (key: string): boolean => settings[`smb.${key}`] === true
  const numbers = derive('smb/machine', 44)
  return {
    numbers,
    comment: text('serverstring'),
    share: { name: text('sharename'), comment: text('sharecomment') },
    isGuestEnabled: isOn('guest.enabled'),
    isSigningRequired: isOn('advanced.enabled') && text('advanced.serversigning') === 'mandatory',
    volumeSerial: numbers.readUInt32LE(16),
    volumeId: randomGuid(derive('smb/volume', 16)),
    sid: [21, numbers.readUInt32LE(24), numbers.readUInt32LE(28), numbers.readUInt32LE(32)],
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
export function nodesOf(settings: BirdSettings, derive: Derive): readonly NodeSetting[] {
  const nodes = settings['smb.filetree']
  return Array.isArray(nodes) && nodes.length > 0 ? (nodes as readonly NodeSetting[]) : officeTree(derive)
}
