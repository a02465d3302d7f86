// Extension: rooms of Matrix.
import { matrix } from '@rookery/contract/groups/matrix.ts'
import { implement, type Route } from '@rookery/contract/implement.ts'
import { operationsById } from '../../operations-by-id.ts'
import type { ReceiverCall, ReceiverDeps } from '../../receiver-kind.ts'
import { descriptor } from './descriptor.ts'

export function routes(deps: ReceiverDeps): Route<ReceiverCall>[] {
  const { list, ...rest } = operationsById(descriptor, deps, ['url', 'token', 'room'])
  return implement(matrix, {
    ...rest,
    list: async (params, call: ReceiverCall) => ({ matrix: await list(params, call) }),
  })
}
