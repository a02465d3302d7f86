import type { ReceiverKind } from '../../receiver-kind.ts'
import { descriptor } from './descriptor.ts'
import { isConfigured, openSender } from './sender.ts'

export default { descriptor, openSender, isConfigured } satisfies ReceiverKind
