import type { ReceiverKind } from '../../receiver-kind.ts'
import { descriptor } from './descriptor.ts'
import { routes } from './routes.ts'
import { openSender } from './sender.ts'

export default { descriptor, openSender, routes } satisfies ReceiverKind
