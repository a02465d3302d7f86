// The file that tells the Explorer how a folder looks.
import type { TokenAddress } from '../../token.ts'
import { PAYLOAD } from './payload.ts'

/** Where the icon of the folder lies. */
export const iconPath = ({ hostname }: TokenAddress): string => `\\\\${PAYLOAD}.${hostname}\\resource.dll`

/** UTF-16LE with a byte order mark, and lines that end as on Windows. */
export const desktopIni = (address: TokenAddress): Buffer =>
  Buffer.from(`\ufeff[.ShellClassInfo]\r\nIconResource=${iconPath(address)},0\r\n`, 'utf16le')
