// Where the Explorer goes for a planted file: the same path for the same token.
import { createHash } from 'node:crypto'
import { Fault } from '@rookery/kernel/fault.ts'
import type { SettingsOf } from '../../settings.ts'
import type { TokenAddress } from '../../token.ts'
import type { descriptor } from './descriptor.ts'
import { PAYLOAD, SERVER } from './payload.ts'
import { PATH_CHARACTERS } from './shortcut.ts'

type Settings = SettingsOf<(typeof descriptor)['settings']>
export type Form = NonNullable<Settings['os_dir_file']>

/** Without the setting, as before there were others, it is a folder. */
export const formOf = ({ os_dir_file }: Settings): Form => os_dir_file ?? 'folder'

const ICON_FILES = [
  'branding.dll',
  'folders.ico',
  'icons.dll',
  'resource.dll',
  'share.ico',
  'shellext.dll',
  'theme.icl',
  'ui.dll',
] as const
const SHARES = ['archive', 'data', 'department', 'home', 'projects', 'public', 'shared', 'transfer'] as const

/** The icon of a folder or of an internet shortcut; the folder that a shortcut or a library opens. */
export function uncPath({ hostname, tokenId }: TokenAddress, form: Form): string {
  const number = createHash('sha256').update(`icon ${tokenId}`).digest().readUInt8(0)
  const names = form === 'folder' || form === 'url' ? ICON_FILES : SHARES
  const name = names[number % names.length] ?? names[0]
  const path = `\\\\${form === 'library-ms' ? SERVER : PAYLOAD}.${hostname}\\${name}`
  const most = form === 'lnk' ? PATH_CHARACTERS : Infinity
  if (path.length > most)
    throw new Fault('bad-input', 'The domain of the token is too long for a shortcut.', {
      details: { custom_domain: `must be shorter by at least ${path.length - most} characters` },
    })
  return path
}
