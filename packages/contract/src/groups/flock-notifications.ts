// 4.18 and extension: who is notified of the incidents of a Flock by e-mail and SMS, and who gets its weekly summary.
import type { TProperties } from 'typebox'
import { flock_id } from '../fields.ts'
import { group, Nothing, post, type Example } from '../operation.ts'
import { EmailAlertList, EmailList, NotificationInfo, SmsList } from '../records/notification-info.ts'
import { readFlock, theDefault } from '../switches.ts'

const path = '/flock/settings/notifications'
const set = <P extends TProperties>(list: string, title: string, params: P, example: Example) =>
  post(`${path}/${list}`, 'admin', 'flock', title, params, NotificationInfo, {
    settings: 'flock',
    example: { ...theDefault, ...example },
  })

const test = <P extends TProperties>(list: string, title: string, params: P, example: Example) =>
  post(`${path}/${list}/test`, 'admin', 'flock', title, params, Nothing, { example })
const { addresses } = EmailList
const { numbers } = SmsList

export const flockNotifications = group(
  'Flock notifications',
  'Who is notified of the incidents of a Flock by e-mail and SMS, and who gets its summary on Mondays. The switches for webhooks do not apply to them.',
  {
    info: readFlock(`${path}/info`, 'Read who is notified of a Flock', NotificationInfo),
    emails: set(
      'emails',
      'Set who is notified of a Flock by e-mail',
      { flock_id, ...EmailAlertList },
      {
        addresses: 'ops@example.com,night@example.com',
        enabled: true,
      },
    ),
    sms: set(
      'sms',
      'Set who is notified of a Flock by SMS',
      { flock_id, ...SmsList },
      { numbers: '+4930123456', enabled: true },
    ),
    summaryEmail: set(
      'summary_email',
      'Set who gets the weekly summary of a Flock',
      { flock_id, ...EmailList },
      {
        addresses: 'team@example.com',
        enabled: true,
      },
    ),
    testEmails: test(
      'emails',
      'Send a test alert to the e-mail addresses of a Flock',
      { flock_id, addresses },
      { ...theDefault, addresses: 'ops@example.com' },
    ),
    testSms: test(
      'sms',
      'Send a test alert to the telephone numbers of a Flock',
      { flock_id, numbers },
      { ...theDefault, numbers: '+4930123456' },
    ),
    testSummaryEmail: test(
      'summary_email',
      'Send a test mail to who gets the weekly summary of a Flock',
      { flock_id, addresses },
      { ...theDefault, addresses: 'ops@example.com' },
    ),
  },
)
