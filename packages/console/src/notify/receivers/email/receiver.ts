import type { ReceiverKind } from '../../receiver-kind.ts'
import { isMailConfigured, openMailSender } from '../../senders/mail.ts'
import { descriptor } from './descriptor.ts'

export default {
  descriptor,
  openSender: openMailSender,
  isConfigured: isMailConfigured,
} satisfies ReceiverKind
