// The Windows machine that the share belongs to: names, numbers and users, from settings and the Bird's own seed.
import { bootedAt } from '../../../../machine/boot-time.ts'
import type { Derive } from '../../../../machine/draw.ts'
import { storyOf, type Story } from '../../../../machine/story.ts'
import type { BirdSettings } from '../../../../session/session.ts'
import { nodesOf, randomGuid, shareFacts, volumeClusters, type ShareMachine } from '../../protocol/machine.ts'
import { shareTree } from '../../protocol/tree/tree.ts'
import { accountsOf, type Account } from './accounts.ts'

export interface Machine extends ShareMachine, Pick<Story, 'edition' | 'names'> {
  /** Of its disk, in clusters of 4 KiB. */
  readonly volumeClusters: number
  readonly accounts: readonly Account[]
  /** How long it is up, in milliseconds. */
  readonly uptimeMs: (now: number) => number
  readonly derive: Derive
}

export function machineOf(settings: BirdSettings, derive: Derive): Machine {
  // A machine with such a share is a Windows one.
  const story = storyOf({ ...settings, 'smb.enabled': true }, derive)
  const { edition, names, workgroup, hardwareAddress, installedAt } = story
  const { numbers, ...facts } = shareFacts(settings, derive)
  return {
    ...facts,
    edition,
    names,
    netbiosName: names.netbiosComputer,
    workgroup,
    hardwareAddress,
    installedAt,
    guid: randomGuid(numbers.subarray(0, 16)),
    volumeClusters: volumeClusters(derive),
    accounts: accountsOf(story.users),
    tree: shareTree(nodesOf(settings, derive), derive),
    uptimeMs: (now) => now - bootedAt(derive, now),
    derive,
  }
}
