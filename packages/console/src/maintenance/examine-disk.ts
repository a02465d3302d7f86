import { statfsSync } from 'node:fs'
import type { DataFolder } from '../data-folder.ts'
import type { Finding } from './finding.ts'

const MIB = 1024 * 1024
const FREE_BYTES = 512 * MIB

/** The room that is left where the data directory lies. */
export function examineDisk({ path }: Pick<DataFolder, 'path'>): Finding {
  const { bavail, bsize } = statfsSync(path)
  const text = `${Math.floor((bavail * bsize) / MIB)} MiB free under ${path}`
  return bavail * bsize >= FREE_BYTES
    ? { ok: true, about: 'disk', text }
    : { ok: false, about: 'disk', text: `${text}: less than 512 MiB is soon full` }
}
