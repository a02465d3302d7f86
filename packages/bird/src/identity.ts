// The Bird's identity: an X25519 key and a seed, made at the first start and kept for ever.
import { hkdfSync } from 'node:crypto'
import { chmodSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Fault } from '@rookery/kernel/fault.ts'
import type { Random } from '@rookery/kernel/world.ts'
import { keyPair, type KeyPair } from '@rookery/link/noise/keys.ts'
import { IDENTITY_FILE } from './data-directory.ts'
import { replaceFile } from '@rookery/spool/durable-files.ts'

export interface Identity {
  /** The key of the link; its hash is the Bird's `device_id_hash`. */
  readonly key: KeyPair
  /** `length` bytes (at most 8,160) that no other Bird has: HKDF-SHA256 of the seed under the label. */
  derive(label: string, length: number): Buffer
}

const pathIn = (directory: string): string => join(directory, IDENTITY_FILE)
const FORM = /^\{"key":"([0-9a-f]{64})","seed":"([0-9a-f]{64})"\}\s*$/

/** Reads the identity, or makes it where there is none; only the file's owner may read it (0600). */
export function openIdentity(directory: string, random: Random): Identity {
  const path = pathIn(directory)
  const text = read(path) ?? make(path, random)
  const match = FORM.exec(text)
  if (!match) {
    throw new Fault(
      'unavailable',
      `The Bird's identity ${path} is damaged. Restore it from a backup, or remove it: this then becomes a new Bird, which must be commissioned again.`,
    )
  }
  const seed = Buffer.from(match[2]!, 'hex')
  return {
    key: keyPair(Buffer.from(match[1]!, 'hex')),
    derive: (label, length) =>
      length === 0 ? Buffer.alloc(0) : Buffer.from(hkdfSync('sha256', seed, Buffer.alloc(0), label, length)),
  }
}

function read(path: string): string | undefined {
  try {
    const text = readFileSync(path, 'utf8')
    if (statSync(path).mode & 0o077) chmodSync(path, 0o600)
    return text
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new Fault(
      'unavailable',
      `The Bird's identity ${path} cannot be read: ${(error as Error).message}`,
      {
        cause: error,
      },
    )
  }
}

function make(path: string, random: Random): string {
  const secret = () => Buffer.from(random.bytes(32)).toString('hex')
  const text = JSON.stringify({ key: secret(), seed: secret() })
  replaceFile(path, text)
  return text
}

/** Overwrites and removes the identity: nothing can prove any more to be this Bird. */
export function wipeIdentity(directory: string): void {
  const path = pathIn(directory)
  try {
    writeFileSync(path, '0'.repeat(statSync(path).size))
  } catch {
    // Nothing to overwrite.
  }
  rmSync(path, { force: true })
}
