// Puts a judged release into its folder, whole or not at all, and lets it test itself.
import { execFile } from 'node:child_process'
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { ReleaseFiles } from '@rookery/link/release/archive.ts'
import { MANIFEST_FILE, SIGNATURE_FILE } from '@rookery/link/release/signature.ts'
import { syncDirectory } from '@rookery/spool/durable-files.ts'
import { ENTRY } from '../launcher/state.ts'
import { refused, type OfferedRelease } from './judge.ts'

const SELF_TEST_MS = 10_000

/** Writes `<folder>/<id>`. An end at any moment leaves the folder without it, or with all of it. */
export function writeRelease(
  folder: string,
  id: string,
  files: ReleaseFiles,
  { manifest, signature }: OfferedRelease,
): void {
  const target = join(folder, id)
  const temporary = `${target}.part`
  rmSync(temporary, { recursive: true, force: true })
  const all = new Map([...files, [MANIFEST_FILE, manifest], [SIGNATURE_FILE, Buffer.from(signature)]])
  mkdirSync(temporary, { recursive: true, mode: 0o700 })
  const folders = new Set([temporary])
  for (const [name, bytes] of all) {
    const path = join(temporary, name)
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    folders.add(dirname(path))
    writeSynced(path, bytes)
  }
  folders.forEach(syncDirectory)
  rmSync(target, { recursive: true, force: true })
  renameSync(temporary, target)
  syncDirectory(folder)
}

/** Rejects when the release does not say its version within 10 s. It opens each decoy on loopback, and nothing else. */
export function selfTest(folder: string, id: string, version: string): Promise<void> {
  const args = ['--disable-warning=ExperimentalWarning', join(folder, id, ENTRY), '--self-test']
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      args,
      { timeout: SELF_TEST_MS, killSignal: 'SIGKILL', maxBuffer: 64 * 1024 },
      (error, stdout, stderr) => {
        if (error === null && stdout.trim() === version) return resolve()
        const said = `${stdout}${stderr}`.trim().slice(-300)
        const why = error?.killed ? `it took longer than ${SELF_TEST_MS / 1000} s` : said || 'it said nothing'
        reject(refused('self-test failed', why))
      },
    )
  })
}

/** Removes all releases but these. */
export function removeReleases(folder: string, kept: readonly (string | undefined)[]): void {
  for (const { name } of readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory()))
    if (!kept.includes(name)) rmSync(join(folder, name), { recursive: true, force: true })
}

function writeSynced(path: string, bytes: Buffer): void {
  const fd = openSync(path, 'w', 0o600)
  try {
    for (let written = 0; written < bytes.length;) written += writeSync(fd, bytes, written)
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}
