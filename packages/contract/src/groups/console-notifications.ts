// Extension: who is notified of the incidents of every Flock by e-mail and SMS, and who gets the summary of all Flocks.
import { get, group, post } from '../operation.ts'
import { EmailList, NotificationInfo, SmsList } from '../records/notification-info.ts'

const path = '/settings/notifications'
const settings = 'console'

export const consoleNotifications = group(
  'Console notifications',
  'Who is notified of the incidents of every Flock by e-mail and SMS, in addition to the recipients of the Flock, and who gets the summary of all Flocks on Mondays.',
  {
    info: get(`${path}/info`, 'read-only', 'Read who is notified of every Flock', {}, NotificationInfo),
    emails: post(
      `${path}/emails`,
      'admin',
      'Set who is notified of every Flock by e-mail',
      EmailList,
      NotificationInfo,
      { settings, example: { addresses: 'soc@example.com', enabled: true } },
    ),
    sms: post(
      `${path}/sms`,
      'admin',
      'Set who is notified of every Flock by SMS',
      SmsList,
      NotificationInfo,
      {
        settings,
        example: { numbers: '+4930123456', enabled: true },
      },
    ),
    summaryEmail: post(
      `${path}/summary_email`,
      'admin',
      'Set who gets the weekly summary of all Flocks',
      EmailList,
      NotificationInfo,
      { settings, example: { addresses: 'ciso@example.com', enabled: true } },
    ),
  },
)
