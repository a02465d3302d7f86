import type { RecipientListDescriptor } from '../../receiver-kind.ts'
import { mailList } from '../../senders/mail-list.ts'

export const descriptor: RecipientListDescriptor = {
  ...mailList,
  kind: 'email',
  takes: 'incidents',
  list: 'emails',
}
