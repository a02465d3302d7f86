import type { RecipientListDescriptor } from '../../receiver-kind.ts'
import { mailList } from '../../senders/mail-list.ts'

export const descriptor: RecipientListDescriptor = {
  ...mailList,
  kind: 'summary',
  title: 'Weekly summary',
  help: 'One mail on Mondays, to at most 50 addresses; no incidents.',
  takes: 'weekly-summary',
  list: 'summary_email',
}
