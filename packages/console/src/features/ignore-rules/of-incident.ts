// `incident/ignore_rules`: the rules for one incident, each with what it would have kept away.
import type { ignoreRules } from '@rookery/contract/groups/ignore-rules.ts'
import type { Answer, Params } from '@rookery/contract/operation.ts'
import { invalidParameter, required } from '@rookery/kernel/fault.ts'
import type { AppContext } from '../../app-context.ts'
import type { Query } from '../../db/query.ts'
import type { Call } from '../../http/call.ts'
import { logtypeOf } from '../../logtypes.ts'
import { readAddress } from '../../addresses/address-set.ts'
import { coveringLine } from '../../addresses/ip-list.ts'
import { incidentNames } from '../../secrets/incident-name.ts'
import { CONSOLE, readFlockIgnore, readLines } from '../../stores/ignore/store.ts'
import type { ListName } from '../../stores/ignore/tables.ts'
import { countOfAnnotation, countOfName, countsOfSource } from '../../stores/incidents/matching.store.ts'
import { findIncident } from '../../stores/incidents/one.store.ts'
import { readSettings } from '../../stores/settings/store.ts'
import { addressRules, nameLine, ofConsole, type Lists, type Rule } from './rules.ts'

type OfIncident = (typeof ignoreRules)['ofIncident']

const DAYS_30_MS = 30 * 86_400_000

export function openRulesOfIncident({
  engine,
  reader,
  vault,
  world,
}: Pick<AppContext, 'engine' | 'reader' | 'vault' | 'world'>) {
  const names = incidentNames(vault)
  return async (
    { incident: key, hash_id }: Params<OfIncident>,
    { caller: { scope } }: Call,
  ): Promise<Answer<OfIncident>> => {
    if (key === undefined && hash_id === undefined)
      throw invalidParameter('incident', 'is required, unless hash_id is given')
    const by = key === undefined ? { hashId: hash_id ?? '' } : { key }
    const incident = required(await findIncident(reader, names, scope, by), 'Incident not found')
    const after = world.clock.now() - DAYS_30_MS
    const { mode, inherits } = await readFlockIgnore(reader, incident.flock_id)
    const own = await readLines(reader, 'ip', incident.flock_id)
    const ofConsoleLists = await consoleLists(reader)
    const lists: Lists = { mode, inherits: inherits === 1, ownLines: own.length, console: ofConsoleLists }
    // What the console says of itself passes no ignore list.
    const isOurs = logtypeOf(incident.logtype).level === 'house'
    const hasAddress = !isOurs && readAddress(incident.src_host) !== undefined
    const rules: Rule[] = hasAddress
      ? addressRules(incident, lists, await countsOfSource(engine, scope, incident.src_host, after))
      : []
    const name = hasAddress ? nameLine(incident) : undefined
    if (name !== undefined)
      rules.push(
        ofConsole(
          { covers: 'name', list: 'hostname', line: name },
          lists,
          await countOfName(engine, scope, name, after),
        ),
      )
    for (const annotation of incident.annotations.split(',').filter(Boolean))
      rules.push(
        ofConsole(
          { covers: 'annotation', list: 'annotation', line: annotation },
          lists,
          await countOfAnnotation(engine, scope, annotation, after),
        ),
      )
    const global = ofConsoleLists.ip.isOn ? ofConsoleLists.ip.lines : []
    const inForce =
      mode === 'global' ? global : mode === 'on' ? [...own, ...(inherits === 1 ? global : [])] : []
    const { src_host: range, dst_port: port, logtype } = incident
    return { ignored_by: (hasAddress && coveringLine(inForce, { range, port, logtype })) || '', rules }
  }
}

async function consoleLists(reader: Query): Promise<Lists['console']> {
  const settings = await readSettings(reader)
  const read = async (list: ListName) => ({
    isOn: settings[`${list}_ignore_enabled`] === 'true',
    lines: await readLines(reader, list, CONSOLE),
  })
  return {
    ip: await read('ip'),
    hostname: await read('hostname'),
    src_port: await read('src_port'),
    annotation: await read('annotation'),
  }
}
