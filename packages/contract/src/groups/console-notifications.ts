// Extension: who is notified of the incidents of every Flock by e-mail and SMS, and who gets the summary of all Flocks.
import type { TProperties } from 'typebox'
import { get, group, Nothing, post, type Example } from '../operation.ts'
import { EmailAlertList, EmailList, NotificationInfo, SmsList } from '../records/notification-info.ts'

const path = '/settings/notifications'
const set = <P extends TProperties>(list: string, title: string, params: P, example: Example) =>
  post(`${path}/${list}`, 'admin', 'console', title, params, NotificationInfo, {
    settings: 'console',
    example,
  })

const test = <P extends TProperties>(list: string, title: string, params: P, example: Example) =>
  post(`${path}/${list}/test`, 'admin', 'console', title, params, Nothing, { example })
const { addresses } = EmailList
const { numbers } = SmsList

export const consoleNotifications = group(
  'Console notifications',
  'Who is notified of the incidents of every Flock by e-mail and SMS, in addition to the recipients of the Flock, and who gets the summary of all Flocks on Mondays.',
  {
    info: get(
      `${path}/info`,
      'read-only',
      'console',
      'Read who is notified of every Flock',
      {},
      NotificationInfo,
    ),
    emails: set('emails', 'Set who is notified of every Flock by e-mail', EmailAlertList, {
      addresses: 'soc@example.com',
      enabled: true,
    }),
    sms: set('sms', 'Set who is notified of every Flock by SMS', SmsList, {
      numbers: '+4930123456',
      enabled: true,
    }),
    summaryEmail: set('summary_email', 'Set who gets the weekly summary of all Flocks', EmailList, {
      addresses: 'ciso@example.com',
      enabled: true,
    }),
    testEmails: test(
      'emails',
      'Send a test alert to the e-mail addresses of every Flock',
      { addresses },
      { addresses: 'soc@example.com' },
    ),
    testSms: test(
      'sms',
      'Send a test alert to the telephone numbers of every Flock',
      { numbers },
      { numbers: '+4930123456' },
    ),
    testSummaryEmail: test(
      'summary_email',
      'Send a test mail to who gets the weekly summary of all Flocks',
      { addresses },
      { addresses: 'soc@example.com' },
    ),
  },
)
