// Every logtype that the console can raise: those of decoys, tokens and Birds, and the few of its own.
import { invalidParameter } from '@rookery/kernel/fault.ts'
import { LEVELS, type Logtype, type LogtypeDescriptor, type LogtypeFacts } from '@rookery/kernel/logtype.ts'
import { descriptors as services } from '@rookery/decoys/descriptors.gen.ts'
import { birdLogtypes } from '@rookery/link/bird-logtypes.ts'
import { descriptors as tokens } from '@rookery/tokens/descriptors.gen.ts'

const SETTINGS_CHANGED = { keys: ['SETTINGS'], level: 'house', evidence: ['SETTINGS'] } as const
const UNEXPECTED_CHANGE = [
  'Check in the audit trail who changed them.',
  'If nobody should have, revoke that person’s sessions or that key.',
]

/** Those that the console raises by itself. */
export const consoleLogtypes: readonly LogtypeDescriptor[] = [
  {
    logtype: '1004',
    summary: 'Bird Disconnected',
    slug: 'devicedied',
    keys: ['NOTE'],
    level: 'house',
    evidence: ['NOTE'],
    meaning: 'The console has heard nothing from a Bird for longer than the limit, or hears from it again.',
    next: [
      'Check power and network of the Bird.',
      'While it is away its decoys still record, and it reports when it is back.',
    ],
  },
  {
    logtype: '5007',
    summary: 'Consolidated Network Port Scan',
    slug: 'consolidatedscan',
    keys: [],
    level: 'looked',
    evidence: [],
    meaning: 'One source tried the same port on several Birds within an hour.',
    next: [
      'Check whether a scan of your own runs from this address, and put it on the ignore list if so.',
      'Otherwise find the machine.',
    ],
  },
  {
    logtype: '17999',
    summary: 'Orphaned token triggered',
    slug: 'orphanedtoken',
    keys: ['decoytoken', 'type', 'dst_port', 'src_host', 'event_name', 'headers'],
    level: 'used',
    evidence: ['decoytoken', 'headers'],
    meaning: 'Someone used a token that this console made but has no record of, for example after a restore.',
    next: ['Find out where the token was placed: its id is in the artefact.', 'Treat it as any used token.'],
  },
  {
    logtype: '23001',
    summary: 'Console Settings Changed',
    slug: 'consolesettings',
    ...SETTINGS_CHANGED,
    meaning: 'Settings of the console were changed.',
    next: UNEXPECTED_CHANGE,
  },
  {
    logtype: '23002',
    summary: 'Bird Settings Changed',
    slug: 'birdsettings',
    ...SETTINGS_CHANGED,
    meaning: 'Settings of a Bird were changed.',
    next: UNEXPECTED_CHANGE,
  },
  {
    logtype: '23003',
    summary: 'Flock Settings Changed',
    slug: 'flocksettings',
    ...SETTINGS_CHANGED,
    meaning: 'Settings of a Flock were changed.',
    next: UNEXPECTED_CHANGE,
  },
  {
    logtype: '23004',
    summary: 'Unknown API Keys Tried',
    slug: 'unknownkeys',
    keys: ['COUNT'],
    level: 'house',
    evidence: ['COUNT'],
    meaning: 'One source tried many API keys that this console does not know within a minute.',
    next: [
      'Check whether a program of your own uses a key that was deleted or has expired.',
      'Otherwise find the machine, and keep it away from the console.',
    ],
  },
  {
    logtype: '23005',
    summary: 'Provider Feed Silent',
    slug: 'silentfeed',
    keys: ['PROVIDER', 'SINCE', 'TOKENS', 'REASON'],
    level: 'house',
    evidence: ['PROVIDER', 'SINCE', 'REASON'],
    meaning: 'A provider of tokens has reported nothing for a day: uses of its tokens would go unnoticed.',
    next: [
      'Look at REASON and at the providers of GET decoytokens/channels for what is wrong.',
      'Check that the key of the provider is still valid, and that its events are sent to the address of the feed.',
    ],
  },
  {
    logtype: '23006',
    summary: 'Certificate Expires',
    slug: 'certificate',
    keys: ['REASON'],
    level: 'house',
    evidence: ['REASON'],
    meaning:
      'Clients refuse the certificate of the token host, or soon will: tokens by HTTPS then stay silent.',
    next: [
      'Run `rookery doctor` on the console: it says which certificate it is, and how its last renewal went.',
      'Renew the certificate; the console reads its file again by itself.',
    ],
  },
  {
    logtype: '23007',
    summary: 'Planted Credential Expires',
    slug: 'credential',
    keys: ['DECOYTOKEN', 'KIND', 'EXPIRES', 'MEMO'],
    level: 'house',
    evidence: ['MEMO', 'KIND', 'EXPIRES'],
    meaning:
      'What a token plants stops working within 30 days: somebody who tries it afterwards may go unnoticed.',
    next: [
      'Create another token of the kind, and plant it in the place of this one.',
      'Delete this token once nothing of it is planted any more.',
    ],
  },
  {
    logtype: '23008',
    summary: 'Connections Refused',
    slug: 'refusedconnections',
    keys: ['SERVICE', 'COUNT'],
    level: 'looked',
    evidence: ['SERVICE', 'COUNT'],
    meaning:
      'One source had as many connections at work as it may have, and the console refused some: what they would have touched is not known.',
    next: [
      'Find out what keeps so many connections busy, and look for other touches of that source at the time.',
      'If many people come from behind that address, raise ROOKERY_CONNECTIONS_PER_SOURCE, or name the proxy in ROOKERY_TRUSTED_PROXIES.',
    ],
  },
  {
    logtype: '23009',
    summary: 'Bird Update Failed',
    slug: 'birdupdate',
    keys: ['BIRD', 'VERSION', 'REASON'],
    level: 'house',
    evidence: ['BIRD', 'VERSION', 'REASON'],
    meaning:
      'The automatic update of Birds has stopped: one of them did not take the release, or rolled it back.',
    next: [
      'Look at REASON; the Bird runs the software of before.',
      'Hold the release back with update/ignore, or let the update go on with update/resume.',
    ],
  },
  {
    logtype: '111111',
    summary: 'Dummy Incident',
    slug: 'dummy',
    keys: ['Field1', 'Field2', 'Field3'],
    level: 'house',
    evidence: ['Field1', 'Field2', 'Field3'],
    meaning: 'Someone tested an alert receiver.',
    next: ['Nothing: no decoy and no token was touched.'],
  },
]

type KnownLogtype = Logtype & Partial<LogtypeFacts>

const known = new Map<string, KnownLogtype>(
  [...services.flatMap(({ logtypes }) => logtypes), ...tokens, ...birdLogtypes, ...consoleLogtypes].map(
    (descriptor) => [descriptor.logtype, descriptor],
  ),
)

/** What is known of a logtype. One that this release does not know is shown by its number. */
export const logtypeOf = (logtype: string): KnownLogtype =>
  known.get(logtype) ?? { logtype, summary: `Event ${logtype}`, slug: 'event' }

/** Port scans, which addresses in the list of source ports do not raise. */
export const SCAN_LOGTYPES: ReadonlySet<string> = new Set([
  '5001',
  '5002',
  '5003',
  '5004',
  '5005',
  '5006',
  '5007',
  '5008',
])

export const isLogtype = (word: string): boolean => known.has(word)

/** The logtypes of a text, separated by blanks or commas; one that no touch has is a `bad-input`. */
export function checkedLogtypes(text: string | undefined, parameter: string): string[] {
  const words = (text ?? '').split(/[\s,]+/).filter(Boolean)
  const unknown = words.find((word) => !isLogtype(word))
  if (unknown === undefined) return words
  throw invalidParameter(parameter, `must be known logtypes, such as 3000, not ${JSON.stringify(unknown)}`)
}
/** All of them, by number. */
export const logtypes: ReadonlyMap<string, KnownLogtype> = known

/** The logtypes of levels, given by name and separated by commas; another name is a `bad-input`. */
export function logtypesOfLevelNames(names: string, parameter: string): string[] {
  const levels = names.split(',').map((it) => it.trim())
  const wrong = levels.find((it) => !(LEVELS as readonly string[]).includes(it))
  if (wrong !== undefined) {
    const shown = JSON.stringify(wrong.slice(0, 60))
    throw invalidParameter(parameter, `must be one or several of ${LEVELS.join(', ')}, not ${shown}`)
  }
  return [...known].flatMap(([logtype, { level }]) =>
    level !== undefined && levels.includes(level) ? [logtype] : [],
  )
}
