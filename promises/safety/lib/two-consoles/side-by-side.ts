// Several pairs of consoles, each on a database of its own: most of a fault's time is waiting.
import { openDice } from '../dice.ts'
import { FAULTS, type FaultName } from './faults.ts'
import { surviveFaults, type FaultsOptions, type SurvivedFaults } from './survive.ts'

/** Each fault `each` times over all pairs. Results are summed; the slowest answer is that of the slowest pair. */
export async function surviveSideBySide(pairs: number, options: FaultsOptions): Promise<SurvivedFaults> {
  const { each, dice, onFault } = options
  const of = each * Object.keys(FAULTS).length
  let done = 0
  const survived = await Promise.all(
    shares(each, pairs).map((share, nth) =>
      surviveFaults({
        ...options,
        each: share,
        dice: openDice(dice.seed + nth),
        onFault: (_done, _of, name, againMs) => onFault?.(++done, of, name, againMs),
      }),
    ),
  )
  const [first, ...others] = survived
  if (!first) throw new Error(`${pairs} pairs of consoles cannot share ${each} faults.`)
  return others.reduce(summed, first)
}

/** `total` in shares that differ by one at most; none is empty. */
function shares(total: number, parts: number): number[] {
  return Array.from({ length: parts }, (_, nth) => Math.floor((total + nth) / parts)).filter(
    (share) => share > 0,
  )
}

function summed(one: SurvivedFaults, other: SurvivedFaults): SurvivedFaults {
  const names = [...one.againMs.keys(), ...other.againMs.keys()]
  return {
    lost: one.lost + other.lost,
    doubled: one.doubled + other.doubled,
    miscounted: one.miscounted + other.miscounted,
    splitIncidents: one.splitIncidents + other.splitIncidents,
    alertsMissing: one.alertsMissing + other.alertsMissing,
    alertsDoubled: one.alertsDoubled + other.alertsDoubled,
    changesLost: one.changesLost + other.changesLost,
    changesDoubled: one.changesDoubled + other.changesDoubled,
    changesRefused: one.changesRefused + other.changesRefused,
    names: [...one.names, ...other.names],
    againMs: new Map(names.map((name) => [name, [...timesOf(one, name), ...timesOf(other, name)]])),
    answered: one.answered + other.answered,
    unanswered: one.unanswered + other.unanswered,
    incidents: one.incidents + other.incidents,
    longestMs: Math.max(one.longestMs, other.longestMs),
  }
}

const timesOf = ({ againMs }: SurvivedFaults, name: FaultName): readonly number[] => againMs.get(name) ?? []
