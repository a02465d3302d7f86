// Extension: the console's switches that Flocks follow unless they have their own.
import { group, Nothing, post } from '../operation.ts'

const write = (whose: string, verb: string, title: string) =>
  post(`/settings/change_control/${whose}_settings/${verb}`, 'admin', title, {}, Nothing, {
    settings: 'console',
  })

export const consoleChangeAlerts = group(
  'Console change alerts',
  'Whether changed settings raise incidents in Flocks that follow the console. Those of the console itself always do (23001).',
  {
    disableFlock: write('flock', 'disable', 'Raise nothing when settings of a Flock that follows change'),
    enableFlock: write('flock', 'enable', 'Raise an incident when settings of a Flock that follows change'),
    disableDevice: write(
      'device',
      'disable',
      'Raise nothing when settings of Birds change where their Flock follows',
    ),
    enableDevice: write(
      'device',
      'enable',
      'Raise an incident when settings of Birds change where their Flock follows',
    ),
  },
)
