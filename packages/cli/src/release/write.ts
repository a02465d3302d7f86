// Files of releases: private keys are for their owner alone and replace nothing; the others are for everybody.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { Fault } from '@rookery/kernel/fault.ts'

export function keepPrivate(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  try {
    writeFileSync(path, text, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    throw new Fault('conflict', `${path} exists, and a private key is never replaced. Move it away first.`, {
      cause: error,
    })
  }
}

export function keepPublic(path: string, bytes: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, bytes)
  chmodSync(path, 0o644)
}
