// The file that tells the Explorer how a folder looks.
import { createHash } from 'node:crypto'
import type { TokenAddress } from '../../token.ts'
import { PAYLOAD } from './payload.ts'

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

/** Where the icon of the folder lies: the same for the same token. */
export function iconPath({ hostname, tokenId }: TokenAddress): string {
  const number = createHash('sha256').update(`icon ${tokenId}`).digest().readUInt8(0)
  return `\\\\${PAYLOAD}.${hostname}\\${ICON_FILES[number % ICON_FILES.length] ?? ICON_FILES[0]}`
}

/** UTF-16LE with a byte order mark, and lines that end as on Windows. */
export const desktopIni = (address: TokenAddress): Buffer =>
  Buffer.from(`\ufeff[.ShellClassInfo]\r\nIconResource=${iconPath(address)},0\r\n`, 'utf16le')
