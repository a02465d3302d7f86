// Every endpoint group, in the order of the specification; extensions last.
import type { Route } from '@rookery/contract/implement.ts'
import type { Base } from './base.ts'
import { birdRecords } from './birds/records.ts'
import { apiKeyRoutes } from './features/api-keys/routes.ts'
import { birdOperationRoutes } from './features/bird-operations/routes.ts'
import { auditTrailRoutes } from './features/audit-trail/routes.ts'
import { birdQueryRoutes } from './features/bird-queries/routes.ts'
import { consoleIgnoreListRoutes } from './features/console-ignore-lists/routes.ts'
import { consoleNotificationRoutes } from './features/console-notifications/routes.ts'
import { flockIgnoreListRoutes } from './features/flock-ignore-lists/routes.ts'
import { deliveryRoutes } from './features/deliveries/routes.ts'
import { flockChatRoutes } from './features/flock-chats/routes.ts'
import { flockCollectorRoutes } from './features/flock-collector/routes.ts'
import { consoleChangeAlertRoutes } from './features/console-change-alerts/routes.ts'
import { flockChangeAlertRoutes } from './features/flock-change-alerts/routes.ts'
import { consoleSettingRoutes, type Options } from './features/console-settings/routes.ts'
import { flockLimitRoutes } from './features/flock-limits/routes.ts'
import { flockNoteRoutes } from './features/flock-notes/routes.ts'
import { flockNotificationRoutes } from './features/flock-notifications/routes.ts'
import { flockSummaryRoutes } from './features/flock-summaries/routes.ts'
import { flockWebhookRoutes } from './features/flock-webhooks/routes.ts'
import { flockRoutes } from './features/flocks/routes.ts'
import { incidentActionRoutes } from './features/incident-actions/routes.ts'
import { incidentQueryRoutes } from './features/incident-queries/routes.ts'
import { integrationRoutes } from './features/integrations/routes.ts'
import { pingRoutes } from './features/ping/routes.ts'
import { registrationRoutes } from './features/registration/routes.ts'
import { tokenFactoryRoutes } from './features/token-factory/routes.ts'
import { tokenRoutes } from './features/tokens/routes.ts'
import { webhookSwitchRoutes } from './features/webhook-switch/routes.ts'
import { userRoutes } from './features/users/routes.ts'
import type { Assets } from './flows/assets/assets.ts'
import type { Plant } from './flows/plant/plant.ts'
import type { Call } from './http/call.ts'
import { openIncidents } from './incidents/of-bird.ts'
import type { Providers } from './notify/lists.ts'
import type { Alerts } from './notify/registry.ts'

/** What features ask beyond the base: one narrow question each. */
export interface Answers extends Options {
  readonly assets: Assets
  /** Makes a token. */
  readonly plant: Plant
  /** Whether API keys are kept so that they can be read again. */
  readonly keepKeys: boolean
  readonly alerts: Alerts
  readonly providers: Providers
  /** Birds have something to hear: a command, new settings. */
  readonly toldBirds: () => void
}

export const routes = (base: Base & Answers): Route<Call>[] => [
  ...consoleIgnoreListRoutes(base), // 4.1
  ...registrationRoutes(base, base.toldBirds), // 4.2
  ...birdOperationRoutes(base, base.toldBirds), // 4.4
  ...incidentQueryRoutes(base, birdRecords(base)), // 4.5
  ...incidentActionRoutes(base), // 4.6
  ...birdQueryRoutes(base, openIncidents(base)), // 4.7
  ...flockChangeAlertRoutes(base), // 4.9
  ...tokenFactoryRoutes(base), // 4.11
  ...flockNoteRoutes(base), // 4.12
  ...apiKeyRoutes(base), // 4.14
  ...integrationRoutes(base, base.assets), // 4.15
  ...userRoutes(base), // 4.16
  ...flockWebhookRoutes(base), // 4.17
  ...flockChatRoutes(base),
  ...flockCollectorRoutes(base),
  ...flockIgnoreListRoutes(base), // 4.18
  ...flockNotificationRoutes(base),
  ...pingRoutes(),
  ...consoleSettingRoutes(base),
  ...flockRoutes(base),
  ...flockSummaryRoutes(base),
  ...flockLimitRoutes(base),
  ...consoleNotificationRoutes(base),
  ...consoleChangeAlertRoutes(),
  ...auditTrailRoutes(base),
  ...tokenRoutes(base),
  ...webhookSwitchRoutes(),
  ...deliveryRoutes(base),
]
