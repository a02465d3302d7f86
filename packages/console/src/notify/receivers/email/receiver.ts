import type { ReceiverKind } from '../../receiver-kind.ts'
import { isMailConfigured, mailRefusal, openMailSender } from '../../senders/mail.ts'
import { descriptor } from './descriptor.ts'

export default {
  descriptor,
  openSender: openMailSender,
  isConfigured: isMailConfigured,
  refusal: mailRefusal,
} satisfies ReceiverKind
