import type { RecipientListDescriptor } from '../../receiver-kind.ts'
import { mailList } from '../../senders/mail-list.ts'

export const descriptor: RecipientListDescriptor = {
  ...mailList,
  kind: 'email',
  title: 'E-mail',
  help: 'One mail for each incident, to at most 50 addresses.',
  takes: 'incidents',
  list: 'emails',
}
