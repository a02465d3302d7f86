// 4.19: releases of the Bird's software.
import { updates } from '@rookery/contract/groups/updates.ts'
import { FileStream, implement, type Route } from '@rookery/contract/implement.ts'
import { required } from '@rookery/kernel/fault.ts'
import { parseManifest, PRODUCT } from '@rookery/link/release/manifest.ts'
import type { AppContext } from '../../app-context.ts'
import { pieces } from '../../flows/files/stored-files.ts'
import type { Call } from '../../http/call.ts'
import { updateObstacles } from '../../flows/releases/update-bird.ts'
import { existingFlock } from '../../stores/flocks/store.ts'
import { readSettings, writeSetting, type SettingName } from '../../stores/settings/store.ts'
import { birdsWithout, updatingBirds } from '../../stores/transfers/updates.store.ts'
import {
  existingRelease,
  listReleases,
  newestRelease,
  setIgnored,
  type ReleaseRow,
} from '../../stores/releases/store.ts'

interface UpdatesDeps extends Pick<AppContext, 'reader' | 'config' | 'world'> {
  /** Called after the commit: the automatic update looks at what is due now. */
  readonly wakeUpdates: () => void
}

export const updatesRoutes = ({ reader, config, world, wakeUpdates }: UpdatesDeps): Route<Call>[] => {
  const set = async (call: Call, values: Partial<Record<SettingName, string>>): Promise<object> => {
    await call.change(async (tx) => {
      for (const [name, value] of Object.entries(values)) await writeSetting(tx, name as SettingName, value)
    })
    wakeUpdates()
    return {}
  }
  const ignore = async (tag: string, ignored: boolean, call: Call): Promise<object> => {
    await call.change(async (tx) =>
      required(await setIgnored(tx.query, tag, ignored), `Update with tag ${tag} does not exist.`),
    )
    wakeUpdates()
    return {}
  }

  return implement(updates, {
    list: async () => ({ updates: (await listReleases(reader)).map(updateRecord) }),
    async fetch({ update_tag }) {
      const release = await existingRelease(reader, update_tag)
      const { file_id: fileId, sha256, size } = release
      return new FileStream(filenameOf(release), 'application/zstd', pieces(reader, { fileId, sha256, size }))
    },
    async updatable({ flock_id }, { caller: { scope } }: Call) {
      if (flock_id !== undefined) await existingFlock(reader, scope, flock_id)
      const settings = await config.get('settings', readSettings)
      const release = await newestRelease(reader)
      const birds = release ? await birdsWithout(reader, release.version, scope, flock_id) : []
      const obstacle = release && updateObstacles(release)
      const ids = birds.filter((bird) => obstacle?.(bird) === undefined).map(({ node_id }) => node_id)
      return {
        automatic_updates_enabled: settings.automatic_updates === 'true',
        updatable_devices: ids.length === 0 ? null : ids,
      }
    },
    enableAutomatic: (_params, call: Call) => set(call, { automatic_updates: 'true' }),
    disableAutomatic: (_params, call: Call) => set(call, { automatic_updates: 'false' }),
    resume: (_params, call: Call) =>
      set(call, { automatic_updates_stopped: '', automatic_updates_since: String(world.clock.now()) }),
    async updating({ flock_id }, { caller: { scope } }: Call) {
      await existingFlock(reader, scope, flock_id)
      return { updating_devices: await updatingBirds(reader, scope, flock_id) }
    },
    ignore: ({ update_tag }, call: Call) => ignore(update_tag, true, call),
    unignore: ({ update_tag }, call: Call) => ignore(update_tag, false, call),
  })
}

function updateRecord(release: ReleaseRow) {
  const { tag, version, description, ignored } = release
  const { sensors, needs } = parseManifest(Buffer.from(release.manifest))
  return {
    description,
    filename: filenameOf(release),
    ignore: ignored === 1,
    supported_versions: [`>=${needs.app_from}`],
    tag,
    target_sensors: sensors,
    version,
  }
}

const filenameOf = ({ version }: ReleaseRow): string => `${PRODUCT}-${version}.tar.zst`
