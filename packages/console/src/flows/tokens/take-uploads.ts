// What a caller uploads for a token: tried first, so that a file that the kind cannot use is refused, then stored.
import type { TokenDescriptor } from '@rookery/tokens/descriptor.ts'
import { isUploadedFile, type TokenSettings, type UploadedFile } from '@rookery/tokens/settings.ts'
import type { ForgeFile, ForgeSubject } from '../forge/forge-file.ts'
import type { ForgeCaller } from '../forge/forge-queue.ts'
import type { StoreUploads } from '../files/uploads.ts'

export interface UploadDeps {
  readonly forgeFile: ForgeFile
  readonly storeUploads: StoreUploads
}

/**
 * The subject's settings with references in the place of uploads; a `bad-input` for one that the kind cannot use. What a kind
 * keeps is made and stored in the place of the upload.
 */
export async function takeUploads(
  { forgeFile, storeUploads }: UploadDeps,
  { downloads, kept }: Pick<TokenDescriptor, 'downloads' | 'kept'>,
  subject: ForgeSubject,
  caller: ForgeCaller,
): Promise<TokenSettings> {
  const { settings } = subject
  if (kept === undefined && !Object.values(settings).some(isUploadedFile)) return settings
  const file = downloads ? await forgeFile(subject, caller) : undefined
  if (kept === undefined || file === undefined) return storeUploads(settings)
  const { filename, contentType, bytes } = file
  return storeUploads({ ...settings, [kept]: { filename, contentType, bytes } satisfies UploadedFile })
}
