// What lists of mail addresses have in common.
import { mailAddress } from '../../config/smtp-url.ts'
import type { RecipientListDescriptor } from '../receiver-kind.ts'

export const mailList: Omit<RecipientListDescriptor, 'kind' | 'title' | 'help' | 'takes' | 'list'> = {
  madeBy: 'recipient-list',
  parameter: 'addresses',
  maxRecipients: 50,
  parse: mailAddress,
  expected: 'e-mail addresses, such as ops@example.com',
  shownAs: 'e-mail',
  notConfigured: 'E-mail provider not configured: set ROOKERY_SMTP_URL and ROOKERY_SMTP_FROM.',
}
