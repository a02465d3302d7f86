// `devices/configure`: the same settings for several Birds. Each has its own settings changed, and a bundle of its own.
import type { configuration } from '@rookery/contract/groups/configuration.ts'
import type { Answer, Params } from '@rookery/contract/operation.ts'
import { Fault, invalidParameter } from '@rookery/kernel/fault.ts'
import type { AppContext } from '../../app-context.ts'
import type { Tx } from '../../db/query.ts'
import type { Call } from '../../http/call.ts'
import { chosenBirds, MAX_BIRDS } from '../../stores/birds/chosen.store.ts'
import { sealSecrets, unmaskSecrets, withOpenSecrets } from '../../stores/birds/secret-settings.ts'
import {
  SETTINGS,
  settingsBundle,
  settingsOf,
  wholeSettings,
  type Settings,
} from '../../stores/birds/settings.ts'
import { changeBird, findBirds, type BirdRow } from '../../stores/birds/store.ts'
import { addBundles, type BundleRow } from '../../stores/bundles/store.ts'
import { existingFlock } from '../../stores/flocks/store.ts'
import { checkSize } from '../../stores/birds/settings-size.ts'
import { checkConfiguration } from './check.ts'
import { personalityNames } from './personalities.ts'

type ConfigureMany = (typeof configuration)['configureMany']

interface ConfigureManyDeps extends Pick<AppContext, 'vault' | 'world'> {
  readonly wakeLinks: () => void
}

/** What says which machine a Bird is: several of one name or address would be one. */
const OF_ONE_MACHINE =
  /^device\.(name|desc|host_name|ip_address|mac|mac_prefix|netmask|gw|dns1|dns2|dhcp\.enabled)$/

export async function configureMany(
  { vault, world, wakeLinks }: ConfigureManyDeps,
  { node_ids, flock_id, settings: sent }: Params<ConfigureMany>,
  call: Call,
): Promise<Answer<ConfigureMany>> {
  checkSize('settings', sent)
  checkShared(sent)
  const bundle_tags = await call.change(async (tx) => {
    const birds = await registeredBirds(tx, call, { nodeIds: node_ids, flockId: flock_id })
    const names = await personalityNames(tx.query)
    const rows: BundleRow[] = []
    for (const sealed of birds) {
      const bird = withOpenSecrets(vault, sealed)
      const present = settingsOf(bird)
      const given = { ...present, ...unmaskSecrets(sent, present) }
      checkOf(bird, () => {
        checkSize('settings', given)
        checkConfiguration(given, bird, names)
      })
      const settings = wholeSettings(bird.version, given)
      const stored = sealSecrets(vault, bird.node_id, settings, settingsOf(sealed))
      const { columns, row } = settingsBundle(bird, stored, world, settings)
      await changeBird(tx.query, bird.node_id, { ...columns, updated_at: row.created_at })
      rows.push(row)
    }
    await addBundles(tx, rows)
    return Object.fromEntries(rows.map(({ node_id, bundle_tag }) => [node_id, bundle_tag]))
  })
  wakeLinks()
  return {
    bundle_tags,
    msg: 'The settings are on their way. A Bird that is offline gets them when it reconnects.',
  }
}

async function registeredBirds(
  tx: Tx,
  { caller }: Call,
  chosen: { readonly nodeIds: string | undefined; readonly flockId: string | undefined },
): Promise<BirdRow[]> {
  if (chosen.nodeIds === undefined && chosen.flockId === undefined)
    throw invalidParameter('node_ids', 'is required, unless flock_id is given')
  if (chosen.flockId !== undefined) await existingFlock(tx.query, caller.scope, chosen.flockId)
  const ids = await chosenBirds(tx.query, chosen)
  const parameter = chosen.nodeIds === undefined ? 'flock_id' : 'node_ids'
  if (ids.length === 0) throw invalidParameter(parameter, 'must name a Bird')
  if (ids.length > MAX_BIRDS)
    throw invalidParameter(parameter, `must name at most ${MAX_BIRDS} Birds, not ${ids.length}`)
  const known = await findBirds(tx, caller.scope, ids)
  return ids.map((id) => {
    const bird = known.get(id)
    if (bird?.state === 'registered') return bird
    throw new Fault('not-found', `Bird not found: ${id.slice(0, 64)}`)
  })
}

function checkShared(sent: Settings): void {
  const keys = Object.keys(sent)
  if (keys.length === 0) throw invalidParameter('settings', 'must name a setting')
  const own = keys.filter((key) => OF_ONE_MACHINE.test(key) || SETTINGS[key]?.ofOneBird)
  if (own[0] === undefined) return
  throw new Fault('bad-input', `Setting ${own[0]} belongs to one Bird: change it there.`, {
    details: Object.fromEntries(own.map((key) => [key, 'belongs to one Bird: change it there'])),
  })
}

/** Says of which Bird a mistake is. */
function checkOf(bird: BirdRow, check: () => void): void {
  try {
    check()
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    throw new Fault(error.code, `Bird ${bird.name}: ${error.message}`, { details: error.details ?? {} })
  }
}
