// What a caller uploads for a token: tried first, so that a file that the kind cannot use is refused, then stored.
import type { TokenDescriptor } from '@rookery/tokens/descriptor.ts'
import { isUploadedFile, type TokenSettings } from '@rookery/tokens/settings.ts'
import type { ForgeFile, ForgeSubject } from '../forge/forge-file.ts'
import type { StoreUploads } from './uploads.ts'

export interface UploadDeps {
  readonly forgeFile: ForgeFile
  readonly storeUploads: StoreUploads
}

/** The subject's settings with references in the place of uploads; a `bad-input` for one that the kind cannot use. */
export async function takeUploads(
  { forgeFile, storeUploads }: UploadDeps,
  { downloads }: Pick<TokenDescriptor, 'downloads'>,
  subject: ForgeSubject,
): Promise<TokenSettings> {
  if (!Object.values(subject.settings).some(isUploadedFile)) return subject.settings
  if (downloads) await forgeFile(subject)
  return storeUploads(subject.settings)
}
