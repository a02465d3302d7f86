// 4.18 and extension: the lists of recipients of a Flock's alerts and of its weekly summary.
import { flockNotifications } from '@rookery/contract/groups/flock-notifications.ts'
import type { Route } from '@rookery/contract/implement.ts'
import type { Call } from '../../http/call.ts'
import { recipientListRoutes } from '../../notify/recipient-list-operations.ts'
import type { RecipientListDeps } from '../../notify/recipient-lists.ts'
import { existingFlock } from '../../stores/flocks/store.ts'

export const flockNotificationsRoutes = (deps: RecipientListDeps): Route<Call>[] =>
  recipientListRoutes(flockNotifications, deps, async (db, { caller }, params) => {
    const flock = await existingFlock(db, caller.scope, String(params['flock_id']))
    return flock.flock_id
  })
