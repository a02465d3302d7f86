// The sentences of the page of API keys.
import { count } from '../../words/en.ts'

const of = (n: number, one: string, many = `${one}s`): string => `${count(n)} ${n === 1 ? one : many}`

export const keyWords = {
  title: 'API keys',
  lead: 'Programs call the API with a key. People need none: they sign in.',
  none: 'There is no API key.',
  columns: ['Key', 'Type', 'Addresses', 'Expires', 'Last used', 'Created', 'Actions'],
  types: { 'read-only': 'Read-only', analyst: 'Analyst', admin: 'Admin', indicators: 'Indicators' },
  means: {
    'read-only': 'Reads everything, and changes nothing.',
    analyst: 'Reads everything; acknowledges, comments on and deletes incidents.',
    admin: 'Reads and changes everything, keys included.',
    indicators:
      'Reads the addresses that attacked you, for firewalls (sources/list) and for TAXII clients, and nothing else.',
  },
  everywhere: 'Every address',
  never: 'Never',
  notYet: 'Not yet',
  expired: 'Expired',
  by: 'by',
  flock: 'of the Flock',
  make: 'New key',
  note: 'Note',
  noteHelp: 'What it is for, so that others know whether it is still needed.',
  type: 'Type',
  addresses: 'Addresses',
  addressesHelp: 'Addresses or ranges that may use it, separated by commas. Empty: every address.',
  expires: 'Expires on',
  expiresHelp: 'From that day on, at 00:00 UTC, it is refused. Empty: never.',
  shownOnce: 'The new key is shown here once. Copy it now:',
  shownAgain: 'The new key. It can be copied again below, as long as ROOKERY_KEYS is recoverable:',
  forKey: 'New key',
  key: 'Key',
  ini: 'As a file of options (rookery.ini)',
  curl: 'To try it',
  stored: 'I have stored it',
  copyKey: 'Copy key',
  revoke: 'Revoke',
  reallyRevoke: 'It stops working at once, and cannot be brought back. Go on?',
  revoked: 'Revoked the key.',
  api: 'API switch',
  apiOn: 'The API is on: keys work.',
  apiOff: 'The API is off: every key is refused. People who sign in still work.',
  switchOff: 'Switch the API off',
  switchOn: 'Switch the API on',
  offAsk: 'Switch the API off?',
  offText: (n: number) =>
    n === 0
      ? 'No key works just now, so nobody is shut out. New ones will be refused, too.'
      : `This shuts out ${of(n, 'key')} until somebody switches it on again, here or by rookery api-switch on:`,
  others: (n: number) => `and ${count(n)} more`,
  usedAgo: 'last used',
  neverUsed: 'never used',
  switchedOff: 'The API is off.',
  switchedOn: 'The API is on.',
} as const
