// Extension: the console's switch for sending alerts, for Flocks that use it.
import { group } from '../operation.ts'
import { consoleSwitch } from '../switches.ts'

const webhooks = consoleSwitch('/settings/webhooks')

export const webhookSwitch = group(
  'Webhook switch',
  'The switch of the console for sending alerts; it applies to every Flock without a switch of its own.',
  { disable: webhooks.disable('Disable sending alerts'), enable: webhooks.enable('Enable sending alerts') },
)
