// 4.15: other systems that the console reads from.
import Type from 'typebox'
import { flag, text } from '../fields.ts'
import { get, group } from '../operation.ts'
import { consoleSwitch } from '../switches.ts'

const assets = consoleSwitch('/settings/integrations/assetinv')

export const integrations = group(
  'Integrations',
  'Other systems that the console reads from: an asset inventory, whose export is a JSON array of objects with addresses, names, hw and os.',
  {
    list: get(
      '/settings/integrations',
      'read-only',
      'console',
      'List the integrations and whether they are enabled',
      {},
      Type.Object({ integrations: Type.Record(text, flag) }),
    ),
    enableAssets: assets.enable('Enable the asset inventory: show its entries for sources and Birds'),
    disableAssets: assets.disable('Disable the asset inventory'),
  },
)
