// The operations of a contract group that show and set lists of recipients.
import type { Route } from '@rookery/contract/implement.ts'
import type { Group, Operation } from '@rookery/contract/operation.ts'
import type { Query } from '../db/query.ts'
import type { ReceiverCall, RecipientListDescriptor } from './receiver-kind.ts'
import {
  changeList,
  readChange,
  recipientLists,
  recipientListsView,
  testList,
  type RecipientListDeps,
} from './recipient-lists.ts'

/** Whose lists a call speaks of: a Flock's id, or `CONSOLE`. Throws where the caller may not see it. */
type OwnerOf = (db: Query, call: ReceiverCall, params: Readonly<Record<string, unknown>>) => Promise<string>

/** `info`, and for each list one operation whose path ends in its name, and one whose path ends in its name and `test`. */
export function recipientListRoutes(
  group: Group & { readonly info: Operation },
  deps: RecipientListDeps,
  ownerOf: OwnerOf,
): Route<ReceiverCall>[] {
  const show: Route<ReceiverCall> = {
    operation: group.info,
    async handle(params, call) {
      return recipientListsView(deps.reader, deps, await ownerOf(deps.reader, call, params))
    },
  }
  const set = (descriptor: RecipientListDescriptor): Route<ReceiverCall> => ({
    operation: operationOf(group, descriptor.list),
    async handle(params, call) {
      const change = readChange(descriptor, params)
      return call.change(async (tx) =>
        changeList(tx, deps, await ownerOf(tx.query, call, params), descriptor, change),
      )
    },
  })
  const test = (descriptor: RecipientListDescriptor): Route<ReceiverCall> => ({
    operation: operationOf(group, `${descriptor.list}/test`),
    async handle(params, call) {
      await testList(deps, await ownerOf(deps.reader, call, params), descriptor, params[descriptor.parameter])
      return {}
    },
  })
  return [show, ...recipientLists.map(set), ...recipientLists.map(test)]
}

function operationOf(group: Group, end: string): Operation {
  const operation = Object.values(group).find(({ path }) => path.endsWith(`/${end}`))
  if (!operation) throw new Error(`The path of no operation of the contract group ends in /${end}.`)
  return operation
}
