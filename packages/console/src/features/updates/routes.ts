// 4.19: releases of the Bird's software.
import { updates } from '@rookery/contract/groups/updates.ts'
import { FileStream, implement, type Route } from '@rookery/contract/implement.ts'
import { required } from '@rookery/kernel/fault.ts'
import { parseManifest, PRODUCT } from '@rookery/link/release/manifest.ts'
import type { AppContext } from '../../app-context.ts'
import { pieces } from '../../flows/files/stored-files.ts'
import type { Call } from '../../http/call.ts'
import { existingFlock } from '../../stores/flocks/store.ts'
import { updatingBirds } from '../../stores/transfers/updates.store.ts'
import { existingRelease, listReleases, setIgnored, type ReleaseRow } from '../../stores/releases/store.ts'

export const updatesRoutes = ({ reader }: Pick<AppContext, 'reader'>): Route<Call>[] => {
  const ignore = (tag: string, ignored: boolean, { change }: Call): Promise<object> =>
    change(async (tx) => {
      required(await setIgnored(tx.query, tag, ignored), `Update with tag ${tag} does not exist.`)
      return {}
    })

  return implement(updates, {
    list: async () => ({ updates: (await listReleases(reader)).map(updateRecord) }),
    async fetch({ update_tag }) {
      const release = await existingRelease(reader, update_tag)
      const { file_id: fileId, sha256, size } = release
      return new FileStream(filenameOf(release), 'application/zstd', pieces(reader, { fileId, sha256, size }))
    },
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
