// The master key: from the environment, from `<data>/master.key`, or generated at the first start.
// While it is replaced, two keys lie there, and the database decides which one counts (decision 0025).
import { existsSync, readFileSync, renameSync } from 'node:fs'
import { dirname } from 'node:path'
import { Fault } from '@rookery/kernel/fault.ts'
import type { Random } from '@rookery/kernel/world.ts'
import type { DataFolder } from '../data-folder.ts'
import { syncDirectory, writeSecretFile } from './write-secret-file.ts'

const SHAPE = /^[0-9a-f]{64}$/i

type KeyFiles = Pick<DataFolder, 'masterKey' | 'nextMasterKey' | 'oldMasterKey'>

export interface MasterKey {
  /** 32 bytes. */
  readonly key: Uint8Array
  /** Whether it lies in the file of the next key. */
  readonly isNext: boolean
}

/**
 * The key, or the two while one replaces the other. `given` (64 hex digits) wins over the files; a new key is made, with
 * mode 0600, only for a new database.
 */
export function readMasterKeys(
  given: string | undefined,
  files: KeyFiles,
  random: Random,
  mayMake = true,
): MasterKey[] {
  if (given !== undefined) return [{ key: parseMasterKey(given, 'ROOKERY_MASTER_KEY'), isNext: false }]
  const paths = [files.masterKey, files.nextMasterKey].filter((path) => existsSync(path))
  if (paths.length > 0)
    return paths.map((path) => ({
      key: parseMasterKey(readFileSync(path, 'utf8').trim(), path),
      isNext: path === files.nextMasterKey,
    }))
  if (!mayMake) {
    throw new Fault(
      'conflict',
      `${files.masterKey} is missing, and the database was sealed under it. Put it back, or set ROOKERY_MASTER_KEY.`,
    )
  }
  const key = random.bytes(32)
  // Never over a key that another console has made meanwhile.
  writeSecretFile(files.masterKey, hexLine(key))
  return [{ key, isNext: false }]
}

/** Stores the next key, so that it survives a power cut, and a copy of the present one; before the database is sealed anew. */
export function storeNextKey(files: KeyFiles, key: Uint8Array): void {
  const present = parseMasterKey(readFileSync(files.masterKey, 'utf8').trim(), files.masterKey)
  writeSecretFile(files.oldMasterKey, hexLine(present), true)
  writeSecretFile(files.nextMasterKey, hexLine(key), true)
}

/** The next key becomes the key; after the database was sealed under it. Another process may have done so already. */
export function adoptNextKey(files: KeyFiles): void {
  try {
    renameSync(files.nextMasterKey, files.masterKey)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  syncDirectory(dirname(files.masterKey))
}

export function parseMasterKey(text: string, where: string): Uint8Array {
  if (!SHAPE.test(text))
    throw new Fault('bad-input', `${where} must be 64 hex digits, and is ${text.length} characters long.`)
  return Buffer.from(text, 'hex')
}

const hexLine = (key: Uint8Array): string => Buffer.from(key).toString('hex') + '\n'
