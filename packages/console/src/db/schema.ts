// Every table by name, from the stores that own them.
import type { AuditTables } from '../stores/audit/tables.ts'
import type { AssetTables } from '../stores/assets/tables.ts'
import type { BirdTables } from '../stores/birds/tables.ts'
import type { DeliveryTables } from '../stores/deliveries/tables.ts'
import type { FlockTables } from '../stores/flocks/tables.ts'
import type { IgnoreTables } from '../stores/ignore/tables.ts'
import type { IncidentTables } from '../stores/incidents/tables.ts'
import type { KeyTables } from '../stores/keys/tables.ts'
import type { NotificationTables } from '../stores/notifications/tables.ts'
import type { SettingTables } from '../stores/settings/tables.ts'
import type { TokenTables } from '../stores/tokens/tables.ts'
import type { UserTables } from '../stores/users/tables.ts'
import type { WebhookTables } from '../stores/webhooks/tables.ts'
import type { FoundationTables } from './tables.ts'

export type Schema = FoundationTables &
  AssetTables &
  AuditTables &
  BirdTables &
  DeliveryTables &
  FlockTables &
  IgnoreTables &
  IncidentTables &
  KeyTables &
  NotificationTables &
  SettingTables &
  TokenTables &
  UserTables &
  WebhookTables
