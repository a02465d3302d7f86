// 4.8: settings and personalities of Birds, and what became of each change.
import { configuration } from '@rookery/contract/groups/configuration.ts'
import { implement, type Route } from '@rookery/contract/implement.ts'
import { required } from '@rookery/kernel/fault.ts'
import { epoch } from '@rookery/kernel/time.ts'
import type { AppContext } from '../../app-context.ts'
import type { Query, Scope, Tx } from '../../db/query.ts'
import type { Call } from '../../http/call.ts'
import { checkSize } from '../../stores/birds/settings-size.ts'
import { settingsBundle, settingsOf, wholeSettings, type Settings } from '../../stores/birds/settings.ts'
import { sealSecrets, unmaskSecrets, withOpenSecrets } from '../../stores/birds/secret-settings.ts'
import { changeBird, findBird, registeredBird, type BirdRow } from '../../stores/birds/store.ts'
import { findTransfer } from '../../stores/transfers/store.ts'
import { listUpdates } from '../../stores/transfers/updates.store.ts'
import { updateView } from './update-view.ts'
import { addBundles, findBundle, listBundles, type BundleRow } from '../../stores/bundles/store.ts'
import { savePersonality } from '../../stores/personalities/store.ts'
import { checkConfiguration, customName } from './check.ts'
import {
  findPersonality,
  listPersonalities,
  personalityNames,
  portableSettings,
  withPersonality,
} from './personalities.ts'
import { configureMany } from './configure-many.ts'
import { settingsSchema } from './schema.ts'

interface ConfigurationDeps extends Pick<AppContext, 'reader' | 'world' | 'vault'> {
  /** Called after the commit: the links of changed Birds read them now. */
  readonly wakeLinks: () => void
}

const LISTED_BUNDLES = 100

export const configurationRoutes = ({
  reader,
  world,
  vault,
  wakeLinks,
}: ConfigurationDeps): Route<Call>[] => {
  /** Gives the Bird new settings, decided with its secrets open; answers the tag of their bundle, and what happens next. */
  async function configure(
    call: Call,
    nodeId: string,
    decide: (tx: Tx, bird: BirdRow) => Promise<Settings>,
  ): Promise<{ bundle_tag: string; msg: string }> {
    const outcome = await call.change(async (tx) => {
      const sealed = await registeredBird(tx.query, call.caller.scope, nodeId)
      const bird = withOpenSecrets(vault, sealed)
      const settings = wholeSettings(bird.version, await decide(tx, bird))
      const stored = sealSecrets(vault, nodeId, settings, settingsOf(sealed))
      const { columns, row } = settingsBundle(bird, stored, world, settings)
      await changeBird(tx.query, nodeId, { ...columns, updated_at: row.created_at })
      await addBundles(tx, [row])
      call.note({ bundle_tag: row.bundle_tag })
      return { bundle_tag: row.bundle_tag, isLive: bird.live === 1 }
    })
    wakeLinks()
    const { bundle_tag, isLive } = outcome
    const msg = isLive
      ? 'The settings are on their way to the Bird.'
      : 'The Bird is offline: it gets the settings when it reconnects.'
    return { bundle_tag, msg }
  }

  return implement(configuration, {
    async schema({ node_id, version = '' }, { caller }: Call) {
      return { schema: settingsSchema(await versionOf(reader, caller.scope, node_id, version)) }
    },
    async configure({ node_id, settings: sent, merge, check_only, custom_personality_name }, call: Call) {
      checkSize('settings', sent)
      const name = custom_personality_name === undefined ? '' : customName(custom_personality_name)
      if (check_only) {
        const bird = await registeredBird(reader, call.caller.scope, node_id)
        await checkedSettings(reader, withOpenSecrets(vault, bird), sent, merge)
        return {
          bundle_tag: '',
          msg: 'The settings are right. Nothing was sent.',
          custom_personality_name: '',
        }
      }
      const answer = await configure(call, node_id, async (tx, bird) => {
        const { present, settings } = await checkedSettings(tx.query, bird, sent, merge)
        const given = { ...present, ...settings, ...(name && { 'device.personality': name }) }
        if (name) await savePersonality(tx, personalityRow(call, name, given))
        return given
      })
      return { ...answer, custom_personality_name: name }
    },
    configureMany: (params, call: Call) => configureMany({ vault, world, wakeLinks }, params, call),
    async personality({ node_id, personality, additional_settings = {} }, call: Call) {
      checkSize('additional_settings', additional_settings)
      return configure(call, node_id, async (tx, bird) => {
        const found = required(
          await findPersonality(tx.query, personality),
          `Personality ${JSON.stringify(personality)} does not exist: personalities/list has those that do.`,
        )
        const given = {
          ...withPersonality(bird, personality, found),
          ...unmaskSecrets(additional_settings, settingsOf(bird)),
        }
        checkConfiguration(given, bird, await personalityNames(tx.query))
        return given
      })
    },
    async personalities({ node_id, version = '' }, { caller }: Call) {
      return {
        personalities: await listPersonalities(
          reader,
          await versionOf(reader, caller.scope, node_id, version),
        ),
      }
    },
    async bundles({ node_id }, { caller }: Call) {
      return { bundles: await bundlesOf(reader, await registeredBird(reader, caller.scope, node_id)) }
    },
    bundle: async ({ bundle_tag }, { caller }: Call) => ({
      bundle: await bundleInReach(reader, caller.scope, bundle_tag),
    }),
  })

  function personalityRow({ caller }: Call, name: string, settings: Settings) {
    return {
      name,
      settings: JSON.stringify(portableSettings(settings)),
      saved_by: caller.keyId,
      saved_at: world.clock.now(),
    }
  }
}

/** Of settings and of its software, the newest first. */
async function bundlesOf(db: Query, bird: BirdRow) {
  const rows = await listBundles(db, bird.node_id, LISTED_BUNDLES)
  const updates = await listUpdates(db, bird.node_id, LISTED_BUNDLES)
  return [...rows.map((row) => view(row, bird)), ...updates.map((row) => updateView(row, bird))]
    .sort((a, b) => Number(b.created_time) - Number(a.created_time))
    .slice(0, LISTED_BUNDLES)
}

/** A bundle of a Bird in another Flock gets the words of one that is not there. */
async function bundleInReach(db: Query, scope: Scope, tag: string) {
  const gone = `Bundle ${tag} does not exist.`
  const transfer = await findTransfer(db, tag)
  const birdOf = async ({ node_id }: Pick<BundleRow, 'node_id'>) => {
    required(await findBird(db, scope, node_id), gone)
    return registeredBird(db, scope, node_id)
  }
  if (transfer?.kind === 'app') return updateView(transfer, await birdOf(transfer))
  const row = required(await findBundle(db, tag), gone)
  return view(row, await birdOf(row))
}

/** What was sent, whole and with its secrets; a `bad-input` names each wrong key. */
async function checkedSettings(db: Query, bird: BirdRow, sent: Settings, isPart: boolean) {
  const present = settingsOf(bird)
  const settings = { ...(isPart && present), ...unmaskSecrets(sent, present) }
  if (isPart) checkSize('settings', settings)
  checkConfiguration(settings, bird, await personalityNames(db))
  return { present, settings }
}

async function versionOf(
  db: Query,
  scope: Scope,
  nodeId: string | undefined,
  version: string,
): Promise<string> {
  return nodeId === undefined ? version : (await registeredBird(db, scope, nodeId)).version
}

/** A Bird that lost its link before it could report that it applied them has said so since. */
function view(row: BundleRow, bird: BirdRow) {
  const isApplied =
    row.settings_tag === bird.applied_tag && (row.state === 'waiting' || row.state === 'started')
  // Of one that is shown as applied, `ended_at` is when the row last changed until the report comes.
  const endedAt = row.ended_at ?? (isApplied ? row.updated_at : null)
  return {
    tag: row.bundle_tag,
    name: `Settings of ${bird.name}`,
    settings_key: row.settings_tag,
    checksum: row.checksum,
    node_id: row.node_id,
    type: row.type,
    state: isApplied ? ('applied' as const) : row.state,
    bundle_size: row.size,
    bytes_copied: isApplied ? row.size : row.copied,
    reason: row.reason,
    created: String(epoch(row.created_at)),
    created_time: String(epoch(row.created_at)),
    started_time: row.started_at === null ? '' : String(epoch(row.started_at)),
    ended_time: endedAt === null ? '' : String(epoch(endedAt)),
    updated_time: String(epoch(row.updated_at)),
  }
}
