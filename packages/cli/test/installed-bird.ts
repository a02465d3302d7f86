// A Bird as its package lays it out and its unit starts it: by the launcher, on a machine that starts it again whenever it ends.
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { ReleaseFiles } from '@rookery/link/release/archive.ts'
import { RELEASE_KEY } from '@rookery/link/test/signed-release.ts'
import { ALLOCATION, BIRD_FLAGS } from '../bin/node-settings.mjs'
import { launchedFiles } from '../src/package/bird-package.ts'
import { findClone } from '../src/package/clone-files.ts'
import type { PackedFile } from '../src/package/tar.ts'
import { bundleBird } from '../src/release/bundle-bird.ts'
import { freeOffset } from './free-offset.ts'
import { newFolder } from './run-rookery.ts'

const bundled = new Map<string, Promise<ReleaseFiles>>()
/** The files of a release of this clone. */
export function filesOf(version: string): Promise<ReleaseFiles> {
  const made = bundled.get(version) ?? bundleBird(findClone(), version)
  bundled.set(version, made)
  return made
}

const packed = new Map<boolean, Promise<readonly PackedFile[]>>()
/** What the package installs besides Node. */
function packedFiles(hasKeys: boolean): Promise<readonly PackedFile[]> {
  const made = packed.get(hasKeys) ?? launchedFiles(findClone(), 'package', hasKeys ? [RELEASE_KEY] : [])
  packed.set(hasKeys, made)
  return made
}

export interface InstalledBird {
  /** The folder of releases. */
  readonly releases: string
  readonly output: readonly string[]
  kill(): void
  pid(): number | undefined
}

/** Of the version 3.0.0; it trusts the key of `releaseOf`, unless `hasKeys` is false. */
export async function installedBird(
  consoleUrl: string,
  { hasKeys = true, args = [] }: { hasKeys?: boolean; args?: readonly string[] } = {},
): Promise<InstalledBird> {
  const folder = newFolder()
  const releases = join(folder, 'releases')
  for (const { path, bytes } of await packedFiles(hasKeys)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), bytes)
  }
  const command = [...BIRD_FLAGS, join(folder, 'package/launcher.mjs'), releases, 'bird']
  const env = {
    ...ALLOCATION,
    NODE_COMPILE_CACHE: join(folder, 'cache'),
    PATH: process.env['PATH'],
    ROOKERY_CONSOLE: consoleUrl,
    ROOKERY_DATA_DIR: join(folder, 'data'),
    ROOKERY_BIRD_BIND: '127.0.0.1',
    ROOKERY_BIRD_PORT_OFFSET: String(freeOffset()),
  }
  let child: ChildProcess | undefined
  let isOver = false
  const output: string[] = []
  function start(): void {
    if (isOver) return
    child = spawn(process.execPath, [...command, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
    child.stdout?.on('data', (text: Buffer) => output.push(text.toString()))
    child.stderr?.on('data', (text: Buffer) => output.push(text.toString()))
    child.once('exit', start)
  }
  start()
  onTestFinished(() => {
    isOver = true
    child?.kill('SIGKILL')
  })
  return { releases, output, kill: () => child?.kill('SIGKILL'), pid: () => child?.pid }
}
