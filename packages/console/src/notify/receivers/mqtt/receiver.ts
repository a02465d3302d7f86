import type { ReceiverKind } from '../../receiver-kind.ts'
import { descriptor } from './descriptor.ts'
import { openPresence } from './presence.ts'
import { routes } from './routes.ts'
import { openSender, preview } from './sender.ts'

export default { descriptor, openSender, preview, openWork: openPresence, routes } satisfies ReceiverKind
