// Which Bird may get which release, and the job that brings it: the Bird judges once more, and by its own keys.
import { Fault } from '@rookery/kernel/fault.ts'
import { hex } from '@rookery/kernel/ids.ts'
import { parseManifest } from '@rookery/link/release/manifest.ts'
import { compareVersions } from '@rookery/link/release/version.ts'
import type { AppContext } from '../../app-context.ts'
import type { Tx } from '../../db/query.ts'
import { settingsOf } from '../../stores/birds/settings.ts'
import type { BirdRow } from '../../stores/birds/store.ts'
import type { ReleaseRow } from '../../stores/releases/store.ts'
import { transferSourcePlace } from '../../stores/transfers/rekey.store.ts'
import { addTransfer, isMirror, latestTransfer, type TransferRow } from '../../stores/transfers/store.ts'
import { deadlineOf } from '../files/transfers.ts'

type Updated = Pick<BirdRow, 'settings' | 'sensor' | 'version' | 'takes_updates'>

/** Why a Bird cannot get this release, as a sentence; undefined when it can. */
export function updateObstacles(
  release: Pick<ReleaseRow, 'manifest' | 'version' | 'ignored'>,
): (bird: Updated) => string | undefined {
  const { sensors, needs } = parseManifest(Buffer.from(release.manifest))
  return (bird) => obstacleOf(bird, release, sensors, needs.app_from)
}

function obstacleOf(
  bird: Updated,
  release: Pick<ReleaseRow, 'version' | 'ignored'>,
  sensors: readonly string[],
  appFrom: string,
): string | undefined {
  const { sensor, version } = bird
  if (settingsOf(bird)['remoteupdates.enabled'] === false)
    return 'Settings does not permit updating this Bird.'
  if (bird.takes_updates !== 1)
    return 'This Bird takes no updates: no package with release keys installed it. Renew its package, its image or its clone.'
  if (release.ignored === 1) return 'The update is ignored. Call update/unignore first.'
  if (!sensors.includes(sensor))
    return `The update is for ${sensors.join(', ')}; this Bird is ${sensor || 'of an unknown kind'}.`
  if (!/^\d+\.\d+\.\d+$/.test(version)) return `The Bird's version ${JSON.stringify(version)} is not known.`
  if (compareVersions(release.version, version) <= 0)
    return `The update is the version ${release.version}; this Bird has ${version}.`
  if (compareVersions(version, appFrom) < 0)
    return `The update is for versions from ${appFrom} on; this Bird has ${version}. Update it to ${appFrom} first.`
  return undefined
}

/** Begins the update; `conflict` where the Bird cannot get it now. */
export async function startUpdate(
  tx: Tx,
  { world, vault }: Pick<AppContext, 'world' | 'vault'>,
  bird: Updated & Pick<BirdRow, 'node_id'>,
  release: ReleaseRow,
  source = '',
): Promise<TransferRow> {
  const { node_id } = bird
  const latest = await latestTransfer(tx.query, node_id, 'app')
  const isOpen = latest !== undefined && latest.ended_at === null
  const obstacle = isOpen
    ? `The update ${latest.job_id} of this Bird is pending.`
    : updateObstacles(release)(bird)
  if (obstacle !== undefined) throw new Fault('conflict', obstacle)
  const now = world.clock.now()
  const job_id = hex(world.random, 32)
  const kept = isMirror(source) ? vault.seal(source, transferSourcePlace(job_id)) : source
  return addTransfer(tx, {
    job_id,
    node_id,
    kind: 'app',
    update_tag: release.tag,
    state: 'sending',
    file_id: release.file_id,
    size: release.size,
    source: kept,
    password: '',
    settings: '{}',
    created_at: now,
    deadline_at: deadlineOf('app', now),
  })
}
