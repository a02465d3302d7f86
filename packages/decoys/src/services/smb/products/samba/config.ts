// What all connections of a listener share: the machine, and the content of the files that were read last.
import type { BirdSettings } from '../../../../session/session.ts'
import { sharedBy } from '../../protocol/config.ts'
import { newSharedFiles } from './locking/locking.ts'
import { sambaMachine } from './machine.ts'
import type { SambaConfig } from './state.ts'

export const sambaConfig = (settings: BirdSettings, share?: string): SambaConfig => ({
  ...sharedBy((derive) => sambaMachine(settings, derive), share),
  locking: newSharedFiles(),
})
