import type { RecipientListDescriptor } from '../../receiver-kind.ts'

export const descriptor: RecipientListDescriptor = {
  kind: 'sms',
  title: 'SMS',
  help: 'One text of at most 160 characters for each incident, to at most 20 numbers.',
  takes: 'incidents',
  madeBy: 'recipient-list',
  list: 'sms',
  parameter: 'numbers',
  maxRecipients: 20,
  parse: telephoneNumber,
  expected: 'numbers with + and country code, such as +4930123456',
  shownAs: 'SMS',
  notConfigured: 'SMS provider not configured: set ROOKERY_SMS_URL.',
}

/** E.164: +, country code, at most 15 digits; the blanks and signs of people are left out. */
function telephoneNumber(text: string): string | undefined {
  const digits = text.replace(/[\s().\u00a0-]/g, '')
  return /^\+[1-9]\d{6,14}$/.test(digits) ? digits : undefined
}
