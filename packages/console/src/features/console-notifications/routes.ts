// Extension: who is told of the incidents of every Flock, and who gets the weekly summary of them all.
import { consoleNotifications } from '@rookery/contract/groups/console-notifications.ts'
import { implement, type Route } from '@rookery/contract/implement.ts'
import { CONSOLE } from '@rookery/kernel/ids.ts'
import type { Base } from '../../base.ts'
import type { Call } from '../../http/call.ts'
import {
  changeList,
  notificationInfo,
  readChange,
  type ListChange,
  type Providers,
} from '../../notify/lists.ts'
import type { ListName } from '../../stores/notifications/tables.ts'

type Needs = Pick<Base, 'reader' | 'vault' | 'world'> & { readonly providers: Providers }

export const consoleNotificationRoutes = (needs: Needs): Route<Call>[] => {
  const set = ({ change }: Call, list: ListName, wanted: ListChange) =>
    change(async (tx) => {
      await changeList(tx, needs, CONSOLE, list, wanted)
      return notificationInfo(tx.query, needs, CONSOLE)
    })

  return implement(consoleNotifications, {
    info: () => notificationInfo(needs.reader, needs, CONSOLE),
    emails: ({ addresses: text, enabled, clear }, call: Call) =>
      set(call, 'emails', readChange('emails', { text, enabled, clear })),
    sms: ({ numbers: text, enabled, clear }, call: Call) =>
      set(call, 'sms', readChange('sms', { text, enabled, clear })),
    summaryEmail: ({ addresses: text, enabled, clear }, call: Call) =>
      set(call, 'summary_email', readChange('summary_email', { text, enabled, clear })),
  })
}
