// 4.13: links to images of Birds, and to the disks that commission their machines.
import { images } from '@rookery/contract/groups/images.ts'
import { implement, type Route } from '@rookery/contract/implement.ts'
import { DEFAULT_FLOCK } from '@rookery/kernel/ids.ts'
import { std } from '@rookery/kernel/time.ts'
import type { AppContext } from '../../app-context.ts'
import { newEnrolment } from '../../channels/link/enrol.ts'
import { findImage, imagesOf, type ImageFormat } from '../../flows/images/images.ts'
import type { Call } from '../../http/call.ts'
import { signedLink } from '../../http/signed-link.ts'
import { addEnrolment } from '../../stores/birds/enrolments.store.ts'
import type { SeedKind } from './linked.ts'

interface ImageDeps extends Pick<AppContext, 'reader' | 'writer' | 'vault' | 'world'> {
  /** Where the images are. */
  readonly imageFolder: string
}

interface Asked {
  readonly version: string
}

const DAY_MS = 86_400_000

export const imagesRoutes = (deps: ImageDeps): Route<Call>[] => {
  const { imageFolder } = deps

  async function download(version: string, format: ImageFormat, { sharedUrl }: Call) {
    const { filename, size } = await findImage(imageFolder, version, format)
    const args = { version, format }
    const { url, expiresAt } = signedLink(deps, sharedUrl, { use: 'image', filename, args })
    return { link: url, filename, size, expires_std: std(expiresAt) }
  }

  /** The code is on the disk alone, and the disk is in the link alone: nothing is stored but the hash of the code. */
  const seed =
    (kind: SeedKind, filename: string) =>
    async ({ version }: Asked, { sharedUrl, change, note }: Call) => {
      await imagesOf(imageFolder, version)
      const { code, row } = await newEnrolment(deps, { flockId: DEFAULT_FLOCK, uses: 1, lifetimeMs: DAY_MS })
      note({ enrolment_id: row.enrolment_id })
      await change((tx) => addEnrolment(tx, row))
      const args = { kind, consoleUrl: sharedUrl, code }
      const { url, expiresAt } = signedLink(deps, sharedUrl, { use: 'seed', filename, args })
      return { seedlink: url, expires_std: std(expiresAt) }
    }

  return implement(images, {
    vmaDownload: ({ version, format }, call: Call) => download(version, format, call),
    vmaSeed: seed('vmdk', 'rookery-seed.zip'),
    vmbDownload: ({ version }, call: Call) => download(version, 'vhdx', call),
    vmbSeed: seed('vhd', 'rookery-seed.vhd'),
  })
}
