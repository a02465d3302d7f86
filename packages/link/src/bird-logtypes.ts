// What a Bird reports about itself, besides the events of its services.
import type { LogtypeDescriptor } from '@rookery/kernel/logtype.ts'

/** The Bird returned to its last good settings. */
export const NETWORK_ROLLBACK = {
  logtype: '22001',
  summary: 'Network Settings Roll-back',
  slug: 'rollback',
  keys: ['Erroneous network settings', 'Restored network settings', 'Rollback time', 'User'],
  level: 'house',
  evidence: ['Erroneous network settings', 'Restored network settings'],
  meaning:
    'With its new settings the Bird could not reach the console, so it returned to the last good ones.',
  next: ['Compare both settings, correct address, gateway and name servers, and apply the settings again.'],
} as const satisfies LogtypeDescriptor

/**
 * Decoys of the settings in force did not listen for a minute: `REASON` says for each service why. Or the console's newest
 * settings could not be used at all: `REASON` has `settings` for its key. Or the Bird was started again after an end that was
 * no stop: the key is `process`.
 */
export const DECOYS_NOT_STANDING = {
  logtype: '22002',
  summary: 'Decoys Not Standing',
  slug: 'decoysnotstanding',
  keys: ['REASON'],
  level: 'house',
  evidence: ['REASON'],
  meaning:
    'Decoys of a Bird did not listen: for a minute, or until its process was started again, or because it cannot use its newest settings.',
  next: [
    'Free the port on the Bird’s machine, or give the decoy another one in the Bird’s settings; `rookery doctor` lists what is left.',
    'If `REASON` names the settings, update the Bird, or correct the setting that it cannot use.',
    'If `REASON` names the process, look at the touches just before: a visitor may have made it compute without an end.',
  ],
} as const satisfies LogtypeDescriptor

/** Connections of one source that were refused, or that raised no event; at most once a minute. */
export const SILENT_OR_REFUSED = {
  logtype: '22003',
  summary: 'Silent or Refused Connections',
  slug: 'silentconnections',
  keys: ['SERVICE', 'COUNT', 'REFUSED'],
  level: 'looked',
  evidence: ['SERVICE', 'COUNT', 'REFUSED'],
  meaning:
    'A source asked decoys and said no more than scanners do, by TCP or UDP, or opened more connections than a decoy’s server takes.',
  next: [
    'Check whether a scan or health check of your own does it, and put its address on the ignore list if so.',
    'Look for other touches of that time: such connections can keep a decoy busy while it is attacked.',
  ],
} as const satisfies LogtypeDescriptor

/** The spool was full and events were dropped: `DROPPED` since the last such event, `CAP_BYTES` the limit. */
export const SPOOL_OVERFLOW = {
  logtype: '22004',
  summary: 'Bird Spool Overflow',
  slug: 'spooloverflow',
  keys: ['DROPPED', 'CAP_BYTES'],
  level: 'house',
  evidence: ['DROPPED', 'CAP_BYTES'],
  meaning: 'The Bird could not deliver its events for so long that its spool was full and it dropped some.',
  next: [
    'Check why the Bird could not reach the console.',
    'Look at the source addresses before the gap: a flood may hide an attack.',
  ],
} as const satisfies LogtypeDescriptor

/** The part of the Bird that an event names as its instance; 22003 names a decoy. */
export const PART_OF = {
  [NETWORK_ROLLBACK.logtype]: 'rollback',
  [DECOYS_NOT_STANDING.logtype]: 'decoys',
  [SPOOL_OVERFLOW.logtype]: 'spool',
} as const

export const birdLogtypes: readonly LogtypeDescriptor[] = [
  NETWORK_ROLLBACK,
  DECOYS_NOT_STANDING,
  SILENT_OR_REFUSED,
  SPOOL_OVERFLOW,
]
