import type { ReceiverKind } from '../../receiver-kind.ts'
import { descriptor } from './descriptor.ts'
import { isConfigured, openSender, refusal } from './sender.ts'

export default { descriptor, openSender, isConfigured, refusal } satisfies ReceiverKind
