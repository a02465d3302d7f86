// Extension: the settings of this console, without secrets.
import Type from 'typebox'
import { count, flag } from '../fields.ts'
import { get, group } from '../operation.ts'

const flagOf = (description: string) => Type.Boolean({ description })

const Settings = Type.Object(
  {
    api_enabled: flagOf('Whether API keys are enabled'),
    automatic_updates: flagOf('Whether Birds are updated without a person'),
    automatic_updates_stopped: Type.String({
      description: 'Tag of the update whose automatic run a failure has stopped; empty if none did',
    }),
    bird_silence_s: Type.Integer({
      description: 'Seconds without a heartbeat after which a Bird counts as offline',
    }),
    change_control: Type.Object(
      {
        device_settings: flagOf('Whether changed settings of Birds raise incidents'),
        flock_settings: flagOf('Whether changed settings of Flocks raise incidents'),
      },
      { description: 'Switches for change alerts; a Flock may have its own' },
    ),
    ignore_lists: Type.Object(
      {
        annotations: flagOf('Whether the list of ignored annotations is enabled'),
        hostnames: flagOf('Whether the list of ignored host names is enabled'),
        ips: flagOf('Whether the list of ignored addresses is enabled'),
        src_ports: flagOf('Whether the list of addresses whose port scans are ignored is enabled'),
      },
      { description: 'Which ignore lists of the console are enabled' },
    ),
    integrations: Type.Object(
      {
        assetinv: Type.Object(
          {
            assets: Type.Integer({ minimum: 0, description: 'Machines in the copy that is in use' }),
            fetched: Type.String({
              description: 'Time when the copy in use was fetched, as readable text; empty for never',
            }),
            is_configured: flagOf('Whether ROOKERY_ASSETINV_URL is set'),
            is_enabled: flag,
            problem: Type.String({ description: 'Why the last fetch failed; empty if it did not' }),
          },
          { description: 'The asset inventory' },
        ),
      },
      { description: 'Other systems that the console reads from' },
    ),
    keys: Type.String({ description: 'recoverable or show-once: whether API keys can be read again' }),
    public_url: Type.String({ description: 'URL under which people reach the console' }),
    tokens_domain: Type.String({ description: 'Zone of token host names' }),
    tokens_url: Type.String({ description: 'Base URL of tokens' }),
    users: { ...count, description: 'Number of users' },
    version: Type.String({ description: 'Version of the console' }),
    webhooks_enabled: flagOf('Switch for sending alerts; a Flock may have its own'),
  },
  { description: 'The settings of the console' },
)

export const consoleSettings = group('Console settings', 'The settings of this console, without secrets.', {
  read: get(
    '/settings',
    'read-only',
    'console',
    'Read the settings of the console',
    {},
    Type.Object({ settings: Settings }),
  ),
})
