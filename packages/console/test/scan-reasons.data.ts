// Why a query may read a table or an index from end to end, as query-plans.test.ts finds it: file, function, and the table (its
// name in the statement) or index. A query that answers a request, or runs with each commit, has no such reason.

const REASONS: Readonly<Record<string, readonly string[]>> = {
  'One row, or one for each migration, lease, start of a console, channel or provider.': [
    'db/last-commit.store.ts removeOldCommits: last_commit',
    'db/lease.store.ts heldLeases: lease',
    'maintenance/backup.ts backUpDatabase: commit_sequence',
    'maintenance/doctor.ts examineBase: sqlite_schema',
    'db/meta.store.ts touchDatabase: commit_sequence',
    'open-context.ts prepareSchema: api_key',
    'open-context.ts prepareSchema: schema_migration',
    'stores/assets/store.ts findAssetCopy: asset_copy',
    'stores/channels/store.ts readChannels: token_channel',
    'stores/providers/feeds.store.ts readFeeds: provider_feed',
    'stores/touches/positions.store.ts removeOldPositions: touch_position',
  ],
  'Read whole into memory, and again only after a change of the configuration.': [
    'stores/flocks/store.ts flockNames: flock',
    'stores/ignore/store.ts readAllLines: ignored_line',
    'stores/ignore/store.ts readFlockIgnores: flock_ignore',
    'stores/settings/store.ts readSettings: console_setting',
    'stores/webhooks/kinds.store.ts receiversOfKinds: webhook',
    'stores/webhooks/store.ts loadActiveReceivers: w',
  ],
  'The table holds only what is still valid or still waits, and is short.': [
    'stores/birds/enrolments.store.ts addEnrolment: enrolment',
    'stores/birds/enrolments.store.ts listEnrolments: enrolment',
    'stores/certificates/store.ts readChallenges: acme_challenge',
    'stores/certificates/store.ts storeChallenges: acme_challenge',
    'stores/ignore/deferred.store.ts staleDeferred: deferred_touch',
  ],
  'The table keeps its newest 1,000 rows.': [
    'stores/ignore/ignored.store.ts addIgnored: ignored_touch',
    'stores/ignore/ignored.store.ts listIgnored: ignored_touch',
  ],
  'Partial index of the summaries and reduced alerts that wait.': [
    'stores/deliveries/store.ts openBacklogs: delivery',
  ],
  'A page: the walk over the index ends at its limit.': [
    'stores/audit/store.ts readAudit: audit',
    'stores/incidents/sources.store.ts sourceHistory: incident_state',
    'stores/tokens/lists.store.ts tokenPage: t',
    'stores/touches/visits.store.ts lastVisitAt: token_visit',
  ],
  'A page of the log; one of a Flock, a state or a time passes over others, of at most 90 days.': [
    'stores/deliveries/log.store.ts listDeliveries: d',
  ],
  'The tokens of every Flock are counted for its summary.': [
    'stores/tokens/flock-counts.store.ts countTokensByFlock: token',
  ],
  'The list itself is asked for: people, roles, keys, Flocks, personalities.': [
    'stores/flocks/store.ts listFlocks: flock',
    'stores/incidents/counts.store.ts unacknowledgedByFlock: incident_count',
    'stores/keys/store.ts listKeys: api_key',
    'stores/personalities/store.ts listSavedPersonalities: personality',
    'stores/personalities/store.ts savePersonality: personality',
    'stores/users/store.ts listRoles: user_flock',
    'stores/users/store.ts listUsers: user_account',
  ],
  'When a console starts, a person or an admin key changes, or a Flock is deleted.': [
    'stores/birds/enrolments.store.ts removeEnrolmentsOfFlock: enrolment',
    'stores/ignore/store.ts removeIgnoreOfFlock: ignored_line',
    'stores/keys/store.ts clearSealedKeys: api_key',
    'stores/keys/store.ts countKeys: api_key',
    'stores/keys/store.ts removeKeysOfFlock: api_key',
    'stores/users/store.ts countOtherAdmins: user_account',
    'stores/users/store.ts countUsers: user_account',
    'stores/webhooks/store.ts receiversWithWaiting: delivery_waiting',
    'stores/webhooks/store.ts receiversWithWaiting: w',
  ],
  '`rookery rekey` and `rookery doctor` read everything, on the machine of the console.': [
    'stores/birds/rekey.store.ts rekeyEnrolments: enrolment',
    'stores/certificates/rekey.store.ts rekeyCertificates: acme_account',
    'stores/certificates/rekey.store.ts rekeyCertificates: acme_certificate',
    'stores/providers/resources.store.ts sealedResources: provider_resource',
    'stores/tokens/kind-counts.store.ts countTokensByKind: token',
    'stores/tokens/store.ts tokensOfKind: token',
    'stores/webhooks/rekey.store.ts rekeyReceivers: webhook',
  ],
  'Providers are shown, or looked after once an hour.': [
    'stores/providers/resources.store.ts countResources: provider_resource',
  ],
  'A count or a search in the reading thread, within its time limit (decisions 0012, 0017, 0021).': [
    'stores/incidents/search.store.ts countAll: incident_by_update',
    'stores/incidents/search.store.ts countAll: incident_source',
    'stores/incidents/search.store.ts countAll: incident_state',
    'stores/incidents/search.store.ts countAll: search_text',
    'stores/incidents/search.store.ts fewMatches: incident_by_update',
    'stores/incidents/search.store.ts fewMatches: incident_source',
    'stores/incidents/search.store.ts fewMatches: incident_state',
    'stores/incidents/search.store.ts fewMatches: search_text',
    'stores/incidents/search.store.ts searchIds: incident_source',
    'stores/incidents/search.store.ts searchIds: search_text',
    'stores/incidents/search.store.ts walk: incident_source',
    'stores/incidents/search.store.ts walk: search_text',
    'stores/tokens/history.store.ts incidentsOfToken: incident_by_update',
    'stores/tokens/history.store.ts incidentsOfToken: incident_state',
    'stores/tokens/history.store.ts incidentsOfToken: search_text',
    'stores/tokens/lists.store.ts countTokens: t',
  ],
}

export const scanReasons: ReadonlySet<string> = new Set(Object.values(REASONS).flat())
