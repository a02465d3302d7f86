import { openDraws } from '../../draws.ts'
import { forge } from '../../forge.ts'
import { dosTime, zipEntry } from '../../zip/entry.ts'
import { writeZip } from '../../zip/write.ts'
import { pastMoment } from '../../pretexts/past-moment.ts'
import { descriptor } from './descriptor.ts'
import { desktopIni } from './desktop-ini.ts'

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
  file({ address, derive }) {
    const draws = openDraws(derive, 'folder')
    const name = draws.pick(NAMES)
    const modifiedAt = dosTime(pastMoment(draws))
    // The Explorer reads desktop.ini in folders that are read-only or system.
    const folder = zipEntry(`${name}/`, '', { modifiedAt, attributes: FOLDER | SYSTEM })
    const ini = zipEntry(`${name}/desktop.ini`, desktopIni(address), {
      modifiedAt,
      attributes: HIDDEN | SYSTEM | ARCHIVE,
    })
    return { filename: `${name}.zip`, contentType: 'application/zip', bytes: writeZip([folder, ini]) }
  },
})
