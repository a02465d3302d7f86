// 4.15: other systems that the console reads from.
import Type from 'typebox'
import { flag, text } from '../fields.ts'
import { get, group, Nothing, post } from '../operation.ts'

export const integrations = group(
  'Integrations',
  'Other systems that the console reads from: an asset inventory, whose export is a JSON array of objects with addresses, names, hw and os.',
  {
    list: get(
      '/settings/integrations',
      'read-only',
      'List the integrations and whether they are enabled',
      {},
      Type.Object({ integrations: Type.Record(text, flag) }),
    ),
    enableAssets: post(
      '/settings/integrations/assetinv/enable',
      'admin',
      'Enable the asset inventory: show its entries for sources and Birds',
      {},
      Nothing,
      { settings: 'console' },
    ),
    disableAssets: post(
      '/settings/integrations/assetinv/disable',
      'admin',
      'Disable the asset inventory',
      {},
      Nothing,
      { settings: 'console' },
    ),
  },
)
