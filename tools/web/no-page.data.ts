// Why an operation has no page. A test fails for one that has neither a page nor a reason, and for one that has both: whoever
// adds a page removes its names here. "No page yet" is what an admin still has to do by the API.
import type { groups } from '@rookery/contract/groups.gen.ts'

type Groups = typeof groups

export const WITHOUT_PAGE: readonly {
  readonly why: string
  readonly operations: { readonly [G in keyof Groups]?: readonly (keyof Groups[G])[] }
}[] = [
  {
    why: 'An older form; the page calls `auth_token/add` and `auth_token/remove`.',
    operations: { apiKeys: ['addOld', 'removeOld', 'downloadOld'] },
  },
  {
    why: 'For scripts: a new key is shown on `/keys`, and a configuration file is for programs.',
    operations: { apiKeys: ['download'] },
  },
  {
    why: 'An older form; the page calls `devices/rows` and `device/info`.',
    operations: { birdQueries: ['all', 'live', 'dead', 'filter'] },
  },
  {
    why: 'For scripts: the addresses as a plain list, such as for the rules of a firewall. `/birds` shows the address of each Bird.',
    operations: { birdQueries: ['ips'] },
  },
  {
    why: 'An older form; the page calls `incidents/rows`.',
    operations: { incidentQueries: ['all', 'acknowledged', 'unacknowledged', 'search'] },
  },
  {
    why: 'For scripts: the page calls the form for many, also for one incident, since that can be undone.',
    operations: { incidentActions: ['acknowledge', 'unacknowledge', 'remove'] },
  },
  {
    why: 'An older form; the page calls `decoytokens/kinds` and `decoytokens/search`.',
    operations: { tokens: ['kinds', 'ofFlock', 'paginate'] },
  },
  {
    why: 'For machines that hold the key of a factory, and no session.',
    operations: { tokenFactory: ['listKinds', 'create', 'download'] },
  },
  {
    why: 'For scripts: a factory is a key, which `/tokens/factories` lists and revokes by `auth_token/list` and `auth_token/remove`.',
    operations: { tokenFactory: ['deleteFactory', 'listFactories'] },
  },
  {
    why: 'For scripts: the page accepts by `device/bulk_assign_pending` and rejects by `device/cancel_commission`, also several Birds.',
    operations: { registration: ['commission', 'assign', 'cancelMany'] },
  },
  {
    why: 'For firewalls, with a key of their own: the sources as a plain list, which the page shows with their incidents.',
    operations: { sharedSources: ['list'] },
  },
  { why: 'For scripts: whether a key is valid.', operations: { ping: ['ping'] } },
  {
    why: 'For scripts: the settings page reads the integrations with the other settings (`settings`).',
    operations: { integrations: ['list'] },
  },
  {
    why: 'For scripts: `/people` lists all with what they may do, by `users/list`.',
    operations: { users: ['read', 'rights'] },
  },
  {
    why: 'For scripts: the page invites people, who choose their own password.',
    operations: { users: ['create'] },
  },
  {
    why: 'For scripts: an empty note on the page of the Flock has the same effect.',
    operations: { flockNotes: ['remove'] },
  },
  {
    why: 'For scripts: a Bird fetches its update by itself.',
    operations: { updates: ['fetch'] },
  },
  {
    why: '`/alerts/receivers` sends it where `receivers/kinds` names its path; what remains of these is for scripts.',
    operations: {
      consoleNotifications: ['emails', 'sms', 'summaryEmail', 'testEmails', 'testSms', 'testSummaryEmail'],
      flockNotifications: ['emails', 'sms', 'summaryEmail', 'testEmails', 'testSms', 'testSummaryEmail'],
      flockChats: [
        'authoriseChatops',
        'addTeamchat',
        'teamchat',
        'removeTeamchat',
        'testTeamchat',
        'chatops',
        'removeChatops',
        'testChatops',
      ],
      flockCollector: ['add', 'show', 'remove', 'test'],
      flockWebhooks: ['addGeneric', 'generic', 'listGeneric', 'removeGeneric', 'testGeneric', 'info'],
      syslog: ['add', 'list', 'remove', 'test'],
      elastic: ['add', 'list', 'remove', 'test'],
      pagerduty: ['add', 'list', 'remove', 'test'],
      matrix: ['add', 'list', 'remove', 'test'],
      mqtt: ['add', 'list', 'remove', 'test'],
      jira: ['add', 'list', 'remove', 'test'],
      sentinel: ['add', 'list', 'remove', 'test'],
      servicenow: ['add', 'list', 'remove', 'test'],
      telegram: ['add', 'list', 'remove', 'test'],
    },
  },
  {
    why: 'For scripts: the page reads all of it by `info`.',
    operations: {
      flockChangeAlerts: ['isEnabledFlock', 'isGlobalFlock', 'isEnabledDevice', 'isGlobalDevice'],
    },
  },
  {
    why: 'For scripts: the page saves a whole list, and rules come from an incident (`ignoreRules`).',
    operations: {
      consoleIgnoreLists: ['addIp', 'removeIp', 'isAnnotationIgnored'],
      flockIgnoreLists: ['add', 'sanitized'],
    },
  },
]
