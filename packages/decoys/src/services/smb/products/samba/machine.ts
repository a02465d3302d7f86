// The machine with Samba: a NAS or a Linux server, from the settings and the Bird's own seed.
import { draw, type Derive } from '../../../../machine/draw.ts'
import { storyOf } from '../../../../machine/story.ts'
import type { BirdSettings } from '../../../../session/session.ts'
import { nodesOf, shareFacts, volumeClusters, type ShareMachine } from '../../protocol/machine.ts'
import { shareTree } from '../../protocol/tree/tree.ts'
import { ext4 } from './files/file-system.ts'

export const VERSION = '4.17.12-Debian'

/** Its GUID is its name in small letters. */
export interface SambaMachine extends ShareMachine {
  /** What the kernel calls the machine. */
  readonly hostName: string
  /** Of its disk, in blocks of 1 KiB. */
  readonly volumeBlocks: number
  readonly freeBlocks: number
  /** The number of the device, in file ids. */
  readonly device: number
  /** Accounts of Samba's own database: the users of the machine. */
  readonly users: readonly string[]
  /** Who owns the files: user and group ids. */
  readonly owner: number
}

const MAX_NETBIOS = 15

export function sambaMachine(settings: BirdSettings, derive: Derive): SambaMachine {
  const { hostName, workgroup, hardwareAddress, users, installedAt } = storyOf(settings, derive)
  const { numbers, ...facts } = shareFacts(settings, derive)
  const named = settings['smb.netbiosname']
  const netbiosName = ((typeof named === 'string' && named) || hostName).slice(0, MAX_NETBIOS).toUpperCase()
  const guid = Buffer.alloc(16)
  guid.write(netbiosName.toLowerCase(), 'latin1')
  const volumeBlocks = 4 * volumeClusters(derive)
  return {
    ...facts,
    netbiosName,
    hostName,
    workgroup,
    hardwareAddress,
    comment: facts.comment || `Samba ${VERSION}`,
    guid,
    volumeBlocks,
    freeBlocks: Math.floor(volumeBlocks / 6) + (numbers.readUInt32LE(20) % Math.floor(volumeBlocks / 3)),
    device: 0xfe00 + draw(derive, 'smb/device').between(0, 3),
    users,
    owner: 1_000,
    tree: shareTree(nodesOf(settings, derive), derive, ext4(derive)),
    installedAt,
  }
}
