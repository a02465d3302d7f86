// Extension: how this console is set, without its secrets.
import Type from 'typebox'
import { count, flag } from '../fields.ts'
import { get, group } from '../operation.ts'

const told = (description: string) => Type.Boolean({ description })

const Settings = Type.Object(
  {
    api_enabled: told('Whether API keys are let in'),
    bird_silence_s: Type.Integer({ description: 'Silence after which a Bird counts as offline, in seconds' }),
    change_control: Type.Object(
      {
        device_settings: told('Whether changed settings of Birds are told'),
        flock_settings: told('Whether changed settings of Flocks are told'),
      },
      { description: "The console's own switches of change alerts; a Flock may have others" },
    ),
    ignore_lists: Type.Object(
      {
        annotations: told('Whether touches of ignored annotations are ignored'),
        hostnames: told('Whether ignored host names are ignored'),
        ips: told('Whether ignored addresses are ignored'),
        src_ports: told('Whether port scans of listed addresses are ignored'),
      },
      { description: "Which of the console's own lists count" },
    ),
    integrations: Type.Object(
      {
        assetinv: Type.Object(
          {
            assets: Type.Integer({ minimum: 0, description: 'Machines in the copy in use' }),
            fetched: Type.String({
              description: 'When the copy in use was fetched, for people; empty for never',
            }),
            is_configured: told('Whether ROOKERY_ASSETINV_URL names an inventory'),
            is_enabled: flag,
            problem: Type.String({ description: 'Why the last fetch failed; empty when it did not' }),
          },
          { description: 'The asset inventory' },
        ),
      },
      { description: 'What the console asks of other systems' },
    ),
    keys: Type.String({ description: 'recoverable, or show-once: whether API keys can be read again' }),
    public_url: Type.String({ description: 'Address of the console as people reach it' }),
    tokens_domain: Type.String({ description: 'Zone of token host names' }),
    tokens_url: Type.String({ description: 'Base address of token URLs' }),
    users: { ...count, description: 'How many users there are' },
    version: Type.String({ description: 'Version of the console' }),
    webhooks_enabled: told("The console's own switch of webhooks; a Flock may have another"),
  },
  { description: 'How the console is set' },
)

export const consoleSettings = group('Console settings', 'How this console is set, without its secrets.', {
  read: get('/settings', 'read-only', 'Read how the console is set', {}, Type.Object({ settings: Settings })),
})
