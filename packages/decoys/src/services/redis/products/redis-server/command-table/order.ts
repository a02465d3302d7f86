// The order in which COMMAND and ACL CAT list commands: that of a hash table, which each process seeds anew.
import type { Call } from '../model/call.ts'
import { allSpecs, type CommandSpec } from './table.ts'
import { lastStart } from '../server/server-process.ts'

const WEIGHT_BYTES = 4

/** Commands as this process lists them; the subcommands of each stand behind it. */
export function listedSpecs({ now, context }: Pick<Call, 'now' | 'context'>): CommandSpec[] {
  const { at } = lastStart({ now, context })
  const bytes = context.derive(`redis/command-table/${at}`, allSpecs.length * WEIGHT_BYTES)
  const weights = new Map(allSpecs.map(({ name }, i) => [name, bytes.readUInt32LE(i * WEIGHT_BYTES)]))
  const weightOf = (name: string): number => weights.get(name) ?? 0
  const parentOf = (name: string): string => name.split('|', 1)[0]!
  return allSpecs.toSorted(
    ({ name: a }, { name: b }) =>
      weightOf(parentOf(a)) - weightOf(parentOf(b)) ||
      Number(a.includes('|')) - Number(b.includes('|')) ||
      weightOf(a) - weightOf(b),
  )
}

/** Names of commands without their subcommands. */
export const listedNames = (call: Pick<Call, 'now' | 'context'>): string[] =>
  listedSpecs(call).flatMap(({ name }) => (name.includes('|') ? [] : [name]))
