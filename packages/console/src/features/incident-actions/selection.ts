// Which incidents a bulk action means: those that all its parameters match.
import type { incidentActions } from '@rookery/contract/groups/incident-actions.ts'
import type { Params } from '@rookery/contract/operation.ts'
import { Fault, invalidParameter } from '@rookery/kernel/fault.ts'
import { afterSecond, parseListTime, parseSpan } from '@rookery/kernel/time.ts'
import { logtypesOfLevelNames } from '../../logtypes.ts'
import { canonicalRange } from '../../addresses/ranges.ts'
import type { IncidentNames } from '../../secrets/incident-name.ts'
import type { SearchFilter } from '../../stores/incidents/filter.store.ts'
import { incidentNumber } from '../../stores/incidents/one.store.ts'
import { sourceFilter } from '../../stores/incidents/source-range.ts'

type Selection = Params<(typeof incidentActions)['unacknowledgeMany']>

const MAX_HASHES = 1_000

/** The incidents that the parameters name; at least one parameter must be given. */
export function readSelection(params: Selection, names: IncidentNames, now: number): SearchFilter {
  const { flock_id, node_id, src_host, older_than, newer_than, filter_str, hash_ids } = params
  if (node_id !== undefined && src_host !== undefined) {
    throw new Fault('bad-input', 'Cannot use src_host and node_id together')
  }
  const logtypes = logtypesOf(params)
  const filter: SearchFilter = {
    ...(hash_ids !== undefined && { ids: numbersOf(hash_ids, names) }),
    ...(flock_id !== undefined && { flockId: flock_id }),
    ...(node_id !== undefined && { nodeId: node_id }),
    // In the spelling in which sources are stored; another text is no source's.
    ...(src_host !== undefined && {
      srcHost: /[!/]/.test(src_host)
        ? sourceFilter(src_host, 'src_host')
        : (canonicalRange(src_host) ?? src_host),
      ...(!src_host.startsWith('!') && { ofOneSource: true as const }),
    }),
    ...createdBefore(older_than, now),
    ...(newer_than !== undefined && { createdAfter: createdAfter(newer_than, now) }),
    ...(filter_str !== undefined && { text: filter_str }),
    ...(logtypes && { logtypes }),
  }
  if (older_than !== undefined || Object.keys(filter).length > 0) return filter
  throw new Fault(
    'bad-input',
    'At least one of hash_ids, flock_id, node_id, src_host, level, older_than, newer_than, filter_str and filter_logtypes is required.',
  )
}

/** Hash ids that name nothing select nothing. */
function numbersOf(list: string, names: IncidentNames): number[] {
  const hashes = list
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
  if (hashes.length === 0 || hashes.length > MAX_HASHES)
    throw invalidParameter('hash_ids', `must name 1 to ${MAX_HASHES} incidents, not ${hashes.length}`)
  return hashes.flatMap((hashId) => incidentNumber(names, { hashId }) ?? [])
}

function logtypesOf({ level, filter_logtypes }: Selection): string[] | undefined {
  const ofLevels = level === undefined ? undefined : logtypesOfLevelNames(level, 'level')
  if (filter_logtypes === undefined) return ofLevels
  const named = filter_logtypes
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
  if (named.length > 0) return ofLevels ? named.filter((it) => ofLevels.includes(it)) : named
  throw new Fault('bad-input', 'Empty filter_logtypes', {
    details: { filter_logtypes: 'must name a logtype' },
  })
}

/** `0h` has no bound: it includes incidents that a wrong clock dated into the future. */
function createdBefore(olderThan: string | undefined, now: number): Pick<SearchFilter, 'createdBefore'> {
  if (olderThan === undefined || /^0+[hdw]$/.test(olderThan)) return {}
  const createdBefore = isTime(olderThan)
    ? parseListTime(olderThan, 'older_than')
    : now - parseSpan(olderThan, 'older_than') + 1
  return { createdBefore }
}

/** A time means what it means in lists: later than that whole second. */
const createdAfter = (newerThan: string, now: number): number =>
  isTime(newerThan)
    ? afterSecond(parseListTime(newerThan, 'newer_than'))
    : now - parseSpan(newerThan, 'newer_than')

/** Not an age, such as 5h. */
const isTime = (text: string): boolean => !/^\d{1,6}[hdw]$/.test(text)
