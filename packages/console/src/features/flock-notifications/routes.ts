// 4.18 and extension: who is told of a Flock's incidents by e-mail and SMS, and who gets its weekly summary.
import { flockNotifications } from '@rookery/contract/groups/flock-notifications.ts'
import { implement, type Route } from '@rookery/contract/implement.ts'
import type { Call } from '../../http/call.ts'
import {
  changeList,
  notificationInfo,
  readChange,
  type ListChange,
  type Listing,
} from '../../notify/lists.ts'
import { existingFlock } from '../../stores/flocks/store.ts'
import type { ListName } from '../../stores/notifications/tables.ts'

export const flockNotificationsRoutes = (listing: Listing): Route<Call>[] => {
  const set = (call: Call, flockId: string, list: ListName, change: ListChange) =>
    call.change(async (tx) => {
      await existingFlock(tx.query, call.caller.scope, flockId)
      return changeList(tx, listing, flockId, list, change)
    })

  return implement(flockNotifications, {
    async info({ flock_id }, call: Call) {
      await existingFlock(listing.reader, call.caller.scope, flock_id)
      return notificationInfo(listing.reader, listing, flock_id)
    },
    emails: ({ flock_id, addresses: text, enabled, clear }, call: Call) =>
      set(call, flock_id, 'emails', readChange('emails', { text, enabled, clear })),
    sms: ({ flock_id, numbers: text, enabled, clear }, call: Call) =>
      set(call, flock_id, 'sms', readChange('sms', { text, enabled, clear })),
    summaryEmail: ({ flock_id, addresses: text, enabled, clear }, call: Call) =>
      set(call, flock_id, 'summary_email', readChange('summary_email', { text, enabled, clear })),
  })
}
