// Every logtype the console can raise: from the decoys' and tokens' descriptors, and the few of its own.
import type { Logtype } from '@rookery/kernel/logtype.ts'
import { descriptors as services } from '@rookery/decoys/descriptors.gen.ts'
import { descriptors as tokens } from '@rookery/tokens/descriptors.gen.ts'

const own: readonly Logtype[] = [
  { logtype: '1004', summary: 'Bird Disconnected', slug: 'devicedied' },
  { logtype: '5007', summary: 'Consolidated Network Port Scan', slug: 'consolidatedscan' },
  { logtype: '22001', summary: 'Network Settings Roll-back', slug: 'rollback' },
  { logtype: '23001', summary: 'Console Settings Changed', slug: 'consolesettings' },
  { logtype: '23002', summary: 'Bird Settings Changed', slug: 'birdsettings' },
  { logtype: '23003', summary: 'Flock Settings Changed', slug: 'flocksettings' },
  { logtype: '111111', summary: 'Dummy Incident', slug: 'dummy' },
  { logtype: '17999', summary: 'Orphaned token triggered', slug: 'orphanedtoken' },
]

const known = new Map<string, Logtype>()
for (const { logtypes } of services) for (const it of logtypes) known.set(it.logtype, it)
for (const it of [...tokens, ...own]) known.set(it.logtype, it)

/** What is known of a logtype; one that only a newer Bird knows is told by its number. */
export const logtypeOf = (logtype: string): Logtype =>
  known.get(logtype) ?? { logtype, summary: `Event ${logtype}`, slug: 'event' }
