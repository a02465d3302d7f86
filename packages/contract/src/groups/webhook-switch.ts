// Extension: the console's switch of alerts, which Flocks without a switch of their own follow.
import { group, Nothing, post } from '../operation.ts'

const settings = 'console'

export const webhookSwitch = group(
  'Webhook switch',
  "The console's switch of webhooks, for every Flock that follows it.",
  {
    disable: post(
      '/settings/webhooks/disable',
      'admin',
      'Send no alerts of Flocks that follow',
      {},
      Nothing,
      {
        settings,
      },
    ),
    enable: post('/settings/webhooks/enable', 'admin', 'Send alerts of Flocks that follow', {}, Nothing, {
      settings,
    }),
  },
)
