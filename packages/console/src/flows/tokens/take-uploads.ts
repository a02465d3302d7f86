// What a caller uploads for a token: tried first, so that a file that the kind cannot use is refused, then stored.
import type { TokenDescriptor } from '@rookery/tokens/descriptor.ts'
import { isUploadedFile, type TokenSettings } from '@rookery/tokens/settings.ts'
import type { AppContext } from '../../app-context.ts'
import type { ForgeFile, ForgeSubject } from '../forge/forge-file.ts'
import { storeUploads } from './uploads.ts'

/** The subject's settings with references in the place of uploads; a `bad-input` for one that the kind cannot use. */
export async function takeUploads(
  deps: Pick<AppContext, 'writer' | 'world'> & { readonly forgeFile: ForgeFile },
  { downloads }: Pick<TokenDescriptor, 'downloads'>,
  subject: ForgeSubject,
): Promise<TokenSettings> {
  if (!Object.values(subject.settings).some(isUploadedFile)) return subject.settings
  if (downloads) await deps.forgeFile(subject)
  return storeUploads(deps, subject.settings)
}
