// The name of an operation in the audit trail: its group and its own, such as `api_keys.add`.
import { groups } from './groups.gen.ts'
import type { Group, Operation } from './operation.ts'

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

let names: ReadonlyMap<Operation, string> | undefined

/** `group.name` in snake case. A deprecated spelling of the path (`addOld`) has the same name. */
export function actionType(operation: Operation): string {
  names ??= new Map(
    Object.entries(groups as Readonly<Record<string, Group>>).flatMap(([group, operations]) =>
      Object.entries(operations).map(([name, each]): [Operation, string] => [
        each,
        `${snake(group)}.${snake(name.replace(/Old$/, ''))}`,
      ]),
    ),
  )
  const name = names.get(operation)
  if (name === undefined) throw new Error(`${operation.method} ${operation.path} is in no group.`)
  return name
}
