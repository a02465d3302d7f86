import type { RecipientListDescriptor } from '../../receiver-kind.ts'
import { mailList } from '../../senders/mail-list.ts'

export const descriptor: RecipientListDescriptor = {
  ...mailList,
  kind: 'summary',
  takes: 'weekly-summary',
  list: 'summary_email',
}
