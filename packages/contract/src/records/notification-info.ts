// Who is notified by e-mail and SMS, and who gets the weekly summary (4.18), as parameters and as answer.
import Type from 'typebox'
import { flag } from '../fields.ts'
import { Attention, AttentionFields } from './attention.ts'

const isNotified = Type.Boolean({ description: 'Whether they are notified' })
const disabled_reason = Type.Optional(Type.String())

const emails = (description: string, more = {}) =>
  Type.Object(
    {
      addresses: Type.String({ description: 'E-mail addresses, separated by commas' }),
      enabled: isNotified,
      disabled_reason,
      ...more,
    },
    { description },
  )

export const NotificationInfo = Type.Object({
  notification_info: Type.Object(
    {
      emails: emails('Who is notified of incidents by e-mail', AttentionFields),
      sms: Type.Object(
        {
          enabled: isNotified,
          numbers: Type.String({ description: 'Telephone numbers, separated by commas' }),
          disabled_reason,
          ...AttentionFields,
        },
        { description: 'Who is notified of incidents by SMS' },
      ),
      summary_email: emails('Who gets the weekly summary'),
    },
    { description: 'Who is notified' },
  ),
})

const enabled = Type.Optional(Type.Boolean({ description: 'Whether they are notified; default: as before' }))
const clear = Type.Optional(flag)

/** At least one of them is required. */
export const EmailList = {
  addresses: Type.Optional(
    Type.String({
      description: 'E-mail addresses, separated by commas, at most 50; they replace the list',
      maxLength: 16_384,
      separator: ',',
    }),
  ),
  enabled,
  clear,
}
/** Of those who are notified of incidents. */
export const EmailAlertList = { ...EmailList, ...Attention }
export const SmsList = {
  numbers: Type.Optional(
    Type.String({
      description:
        'Telephone numbers with + and country code, separated by commas, at most 20; they replace the list',
      maxLength: 4096,
      separator: ',',
    }),
  ),
  enabled,
  clear,
  ...Attention,
}
