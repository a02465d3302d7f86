// Extension: who is told of the incidents of every Flock, and who gets the weekly summary of them all.
import { consoleNotifications } from '@rookery/contract/groups/console-notifications.ts'
import { implement, type Route } from '@rookery/contract/implement.ts'
import { CONSOLE } from '@rookery/kernel/ids.ts'
import type { Call } from '../../http/call.ts'
import {
  changeList,
  notificationInfo,
  readChange,
  type ListChange,
  type Listing,
} from '../../notify/lists.ts'
import type { ListName } from '../../stores/notifications/tables.ts'

export const consoleNotificationsRoutes = (listing: Listing): Route<Call>[] => {
  const set = ({ change }: Call, list: ListName, wanted: ListChange) =>
    change((tx) => changeList(tx, listing, CONSOLE, list, wanted))

  return implement(consoleNotifications, {
    info: () => notificationInfo(listing.reader, listing, CONSOLE),
    emails: ({ addresses: text, enabled, clear }, call: Call) =>
      set(call, 'emails', readChange('emails', { text, enabled, clear })),
    sms: ({ numbers: text, enabled, clear }, call: Call) =>
      set(call, 'sms', readChange('sms', { text, enabled, clear })),
    summaryEmail: ({ addresses: text, enabled, clear }, call: Call) =>
      set(call, 'summary_email', readChange('summary_email', { text, enabled, clear })),
  })
}
