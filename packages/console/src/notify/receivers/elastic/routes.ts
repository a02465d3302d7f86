// Extension: data streams of Elasticsearch.
import { elastic } from '@rookery/contract/groups/elastic.ts'
import { implement, type Route } from '@rookery/contract/implement.ts'
import { operationsById } from '../../operations-by-id.ts'
import type { ReceiverCall, ReceiverDeps } from '../../receiver-kind.ts'
import { descriptor } from './descriptor.ts'

export function routes(deps: ReceiverDeps): Route<ReceiverCall>[] {
  const { list, ...rest } = operationsById(descriptor, deps, ['url', 'api_key'])
  return implement(elastic, {
    ...rest,
    list: async (params, call: ReceiverCall) => ({ elastic: await list(params, call) }),
  })
}
