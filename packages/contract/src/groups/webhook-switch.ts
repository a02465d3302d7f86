// Extension: the console's switch for sending alerts, for Flocks that use it.
import { group, Nothing, post } from '../operation.ts'

const settings = 'console'

export const webhookSwitch = group(
  'Webhook switch',
  'The switch of the console for sending alerts; it applies to every Flock without a switch of its own.',
  {
    disable: post('/settings/webhooks/disable', 'admin', 'Disable sending alerts', {}, Nothing, {
      settings,
    }),
    enable: post('/settings/webhooks/enable', 'admin', 'Enable sending alerts', {}, Nothing, {
      settings,
    }),
  },
)
