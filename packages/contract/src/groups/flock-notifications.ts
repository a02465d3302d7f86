// 4.18 and extension: who is notified of the incidents of a Flock by e-mail and SMS, and who gets its weekly summary.
import { flock_id } from '../fields.ts'
import { get, group, post } from '../operation.ts'
import { EmailList, NotificationInfo, SmsList } from '../records/notification-info.ts'

const path = '/flock/settings/notifications'
const settings = 'flock'
const example = (params: Readonly<Record<string, string | boolean>>) => ({
  flock_id: 'flock:default',
  ...params,
})

export const flockNotifications = group(
  'Flock notifications',
  'Who is notified of the incidents of a Flock by e-mail and SMS, and who gets its summary on Mondays. The switches for webhooks do not apply to them.',
  {
    info: get(
      `${path}/info`,
      'read-only',
      'Read who is notified of a Flock',
      { flock_id },
      NotificationInfo,
      {
        example: example({}),
      },
    ),
    emails: post(
      `${path}/emails`,
      'admin',
      'Set who is notified of a Flock by e-mail',
      { flock_id, ...EmailList },
      NotificationInfo,
      { settings, example: example({ addresses: 'ops@example.com,night@example.com', enabled: true }) },
    ),
    sms: post(
      `${path}/sms`,
      'admin',
      'Set who is notified of a Flock by SMS',
      { flock_id, ...SmsList },
      NotificationInfo,
      { settings, example: example({ numbers: '+4930123456', enabled: true }) },
    ),
    summaryEmail: post(
      `${path}/summary_email`,
      'admin',
      'Set who gets the weekly summary of a Flock',
      { flock_id, ...EmailList },
      NotificationInfo,
      { settings, example: example({ addresses: 'team@example.com', enabled: true }) },
    ),
  },
)
