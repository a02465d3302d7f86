// The programs with which an image is built, and the packages of Debian that have them.
import { accessSync, constants } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import { Fault } from '@rookery/kernel/fault.ts'

/** The boot code of a disk. */
export const MBR = '/usr/lib/syslinux/mbr/mbr.bin'

/** With which Debian signs. */
export const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg'

/** A path that does not have to be a program, or the name of one → its package. */
const PACKAGES: ReadonlyMap<string, string> = new Map([
  ['apt-get', 'apt'],
  [KEYRING, 'debian-archive-keyring'],
  ['mmdebstrap', 'mmdebstrap'],
  ['mke2fs', 'e2fsprogs'],
  ['mformat', 'mtools'],
  ['syslinux', 'syslinux'],
  [MBR, 'syslinux-common'],
  ['qemu-img', 'qemu-utils'],
])

/** What builds in a namespace of users needs besides. */
const WITHOUT_ROOT: ReadonlyMap<string, string> = new Map([['newuidmap', 'uidmap']])

/** Throws `bad-input` with the packages to install. */
export function checkPrograms(isRoot: boolean, path: string): void {
  const wanted = [...PACKAGES, ...(isRoot ? [] : WITHOUT_ROOT)]
  const absent = wanted.filter(([program]) => !isThere(program, path))
  if (absent.length === 0) return
  const names = absent.map(([program]) => program).join(', ')
  const packages = [...new Set(absent.map(([, name]) => name))].join(' ')
  throw new Fault(
    'bad-input',
    `${names} ${absent.length === 1 ? 'is' : 'are'} missing. An image is built on Debian 12 or newer, with: apt-get install ${packages}`,
  )
}

function isThere(program: string, path: string): boolean {
  const places = isAbsolute(program)
    ? [program]
    : path.split(delimiter).map((folder) => join(folder, program))
  return places.some((place) => {
    try {
      accessSync(place, isAbsolute(program) ? constants.R_OK : constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}
