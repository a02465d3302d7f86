// 4.15: what the console asks of other systems.
import Type from 'typebox'
import { flag, text } from '../fields.ts'
import { get, group, Nothing, post } from '../operation.ts'

export const integrations = group(
  'Integrations',
  'What the console asks of other systems: an asset inventory, by an export that answers a JSON array of objects with addresses, names, hw and os.',
  {
    list: get(
      '/settings/integrations',
      'read-only',
      'List the integrations and whether they are on',
      {},
      Type.Object({ integrations: Type.Record(text, flag) }),
    ),
    enableAssets: post(
      '/settings/integrations/assetinv/enable',
      'admin',
      'Show what the asset inventory knows of sources and Birds',
      {},
      Nothing,
      { settings: 'console' },
    ),
    disableAssets: post(
      '/settings/integrations/assetinv/disable',
      'admin',
      'Show nothing of the asset inventory',
      {},
      Nothing,
      { settings: 'console' },
    ),
  },
)
