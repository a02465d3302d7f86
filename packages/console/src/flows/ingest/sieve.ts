// Parts a batch's touches: those that count, those that a list ignores, and those that wait for a name.
import type { ListName } from '../../stores/ignore/tables.ts'
import type { Arrival } from '../raise/arrival.ts'
import type { Held, Holding } from './hold.ts'
import type { Ignoring } from './ignore.ts'

export interface Sieve {
  /** Whether the touch is raised now; one that is not is noted. */
  passes(arrival: Arrival, visitor?: string): boolean
  /** The same for one that has waited: what is not known by now is no name. */
  passesAfterAll(arrival: Arrival): boolean
  readonly ignored: readonly ListName[]
  readonly held: readonly Held[]
}

export function openSieve(ignoring: Ignoring, { isNamed }: Pick<Holding, 'isNamed'>): Sieve {
  const ignored: ListName[] = []
  const held: Held[] = []
  const isNamedNow = (address: string): boolean | undefined => isNamed(address, ignoring.hosts)
  const isNamedAfterAll = (address: string): boolean => isNamed(address, ignoring.hosts) ?? false
  return {
    ignored,
    held,
    passes(arrival, visitor) {
      const verdict = ignoring.judge(arrival, isNamedNow)
      if (verdict === undefined) return true
      if (verdict === 'ask') held.push({ arrival, visitor })
      else ignored.push(verdict)
      return false
    },
    passesAfterAll(arrival) {
      const verdict = ignoring.judge(arrival, isNamedAfterAll)
      if (verdict !== undefined && verdict !== 'ask') ignored.push(verdict)
      return verdict === undefined
    },
  }
}
