// The sentences of the settings.
import { count } from '../../words/en.ts'

export const settingsWords = {
  title: 'Settings',
  tabs: { general: 'General', 'sign-in': 'Sign-in', integrations: 'Integrations', about: 'About' },
  addresses: 'Addresses',
  setBy: (option: string) => `Set with ${option} when the console starts.`,
  publicUrl: 'Console',
  tokensUrl: 'Tokens',
  tokensDomain: 'Names of tokens',
  noZone: 'No zone is set.',
  who: 'People, programs, Birds',
  people: 'People',
  users: (n: number) => `${count(n)} ${n === 1 ? 'person' : 'people'}`,
  keys: 'API keys',
  keyKinds: {
    recoverable: 'They can be read again, by admins.',
    'show-once': 'They are shown once, when they are made.',
  },
  apiOn: 'The API is on.',
  apiOff: 'The API is off: every key is refused.',
  silence: 'A Bird is offline',
  silenceText: (seconds: number) => `after ${count(seconds)} seconds without a heartbeat.`,
  fixed: 'The same for every console; no option changes it.',
  alerts: 'Alerts',
  alertsLead: 'For every Flock that has no switch of its own.',
  switches: {
    webhooks: {
      name: 'Send alerts',
      help: 'To webhooks, chats and event collectors. Off: incidents still arrive here.',
    },
    flocks: {
      name: 'Changed settings of a Flock raise an incident',
      help: 'So that nobody silences a Flock unseen.',
    },
    birds: {
      name: 'Changed settings of a Bird raise an incident',
      help: 'A change of the settings of the console always does.',
    },
  },
  on: (name: string) => `${name}: on.`,
  off: (name: string) => `${name}: off.`,
  signIn: {
    lead: 'What the console asks of people who sign in, and how long they stay.',
    factor: 'Everybody needs a second factor',
    factorHelp: 'Who has none must add one at the next sign-in, before anything else.',
    idle: 'A session ends after so many minutes without a call',
    idleHelp: '5 to 10,080.',
    longest: 'A session ends after so many hours in any case',
    longestHelp: '1 to 720.',
    save: 'Save',
    saved: 'Saved.',
  },
  retention: {
    title: 'How long things are kept',
    lead: 'What is older is removed for good, within ten minutes and then once a day. The audit trail says how many.',
    incident_days: 'Days for incidents that are done with',
    delivery_days: 'Days for the log of deliveries',
    help: {
      incident_days:
        'Acknowledged or deleted, and nothing happened to them and nobody touched them since. 0 keeps them.',
      delivery_days: 'At least 7; 0 keeps them.',
    },
    follows: '-1 does as the console.',
    due: (incidents: number, deliveries: number) =>
      `${count(incidents)} ${incidents === 1 ? 'incident' : 'incidents'} and ${count(deliveries)} ${deliveries === 1 ? 'delivery' : 'deliveries'} would go now.`,
    save: 'Save',
    saved: 'Saved.',
  },
  assets: {
    title: 'Asset inventory',
    lead: 'A list of your machines, which the console reads from a system of yours.',
    help: 'Their names and owners then stand with sources and Birds.',
    name: 'Show its entries',
    missing: 'Set ROOKERY_ASSETINV_URL first, and ROOKERY_ASSETINV_TOKEN if it asks for one.',
    known: (n: number) => `${count(n)} machines are known,`,
    fetched: 'read',
    notFetched: 'It was not read yet.',
    problem: 'The last try failed:',
  },
  about: {
    version: 'Version',
    licence: 'Licence',
    licenceName: 'Apache License 2.0',
    licenceText: 'Free to use, change and pass on; the file LICENSE says how.',
    api: 'The API',
    apiLink: 'Every operation, to read and to try',
    openapi: 'OpenAPI document',
    docs: 'Handbook',
    docsText:
      'The folder docs of the release: operate.md, alerts.md, troubleshooting.md, and reference for every option and setting.',
    help: 'On the machine of the console',
    helpText:
      '`rookery doctor` says what is wrong with this installation; `rookery --help` lists every command.',
  },
} as const
