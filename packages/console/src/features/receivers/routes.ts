// 4.17: the operations of every kind of receiver, from its folder in `notify/receivers/`.
import type { Route } from '@rookery/contract/implement.ts'
import type { Call } from '../../http/call.ts'
import type { ReceiverDeps } from '../../notify/receiver-kind.ts'
import { receiverKinds } from '../../notify/receivers.gen.ts'

export const receiversRoutes = (deps: ReceiverDeps): Route<Call>[] =>
  Object.values(receiverKinds).flatMap(({ routes }) => routes?.(deps) ?? [])
