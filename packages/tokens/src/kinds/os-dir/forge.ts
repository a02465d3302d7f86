import { openDraws } from '../../draws.ts'
import { forge, type ForgedFile } from '../../forge.ts'
import { dosTime, zipEntry } from '@rookery/kernel/zip/entry.ts'
import { writeZip } from '@rookery/kernel/zip/write.ts'
import { pastMoment } from '../../pretexts/past-moment.ts'
import { descriptor } from './descriptor.ts'
import { shortcut } from './shortcut.ts'
import { desktopIni, internetShortcut, library } from './texts.ts'
import { formOf, uncPath } from './unc-path.ts'

/** Attributes of MS-DOS. */
const HIDDEN = 2
const SYSTEM = 4
const FOLDER = 16
const ARCHIVE = 32

const NAMES = [
  'Accounts',
  'Backup keys',
  'Board',
  'Contracts',
  'HR',
  'Passwords',
  'Payroll',
  'Restructuring',
  'Salaries',
  'VPN',
] as const

export default forge(descriptor, {
  file({ address, settings, derive }) {
    const draws = openDraws(derive, 'folder')
    const name = draws.pick(NAMES)
    const form = formOf(settings)
    const path = uncPath(address, form)
    const file = (contentType: string, bytes: Buffer): ForgedFile => ({
      filename: `${name}.${form}`,
      contentType,
      bytes,
    })
    if (form === 'lnk') return file('application/x-ms-shortcut', shortcut(path))
    if (form === 'url') return file('application/internet-shortcut', internetShortcut(address.url, path))
    if (form === 'library-ms') return file('application/windows-library+xml', library(name, path))
    const bytes = folderArchive(name, path, dosTime(pastMoment(draws)))
    return { filename: `${name}.zip`, contentType: 'application/zip', bytes }
  },
})

/** The Explorer reads `desktop.ini` in folders that are read-only or system. */
function folderArchive(name: string, path: string, modifiedAt: number): Uint8Array {
  const folder = zipEntry(`${name}/`, '', { modifiedAt, attributes: FOLDER | SYSTEM })
  const attributes = HIDDEN | SYSTEM | ARCHIVE
  const ini = zipEntry(`${name}/desktop.ini`, desktopIni(path), { modifiedAt, attributes })
  return writeZip([folder, ini])
}
