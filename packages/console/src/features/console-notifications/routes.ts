// Extension: the lists of recipients of every Flock's alerts, and of the weekly summary of them all.
import { consoleNotifications } from '@rookery/contract/groups/console-notifications.ts'
import type { Route } from '@rookery/contract/implement.ts'
import { CONSOLE } from '@rookery/kernel/ids.ts'
import type { Call } from '../../http/call.ts'
import { recipientListRoutes } from '../../notify/recipient-list-operations.ts'
import type { RecipientListDeps } from '../../notify/recipient-lists.ts'

export const consoleNotificationsRoutes = (deps: RecipientListDeps): Route<Call>[] =>
  recipientListRoutes(consoleNotifications, deps, () => Promise.resolve(CONSOLE))
