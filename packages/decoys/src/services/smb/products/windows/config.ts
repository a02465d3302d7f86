// What all connections of a listener share: the machine, and the content of the files that were read last.
import type { BirdSettings } from '../../../../session/session.ts'
import { sharedBy } from '../../protocol/config.ts'
import { machineOf } from './machine.ts'
import type { SmbConfig } from './state.ts'

export const smbConfig = (settings: BirdSettings, share?: string): SmbConfig =>
  sharedBy((derive) => machineOf(settings, derive), share)
