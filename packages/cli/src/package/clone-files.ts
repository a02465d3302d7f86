// What packages take from a clone: Node, the bundle, the skins, the page, the documentation.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { Fault } from '@rookery/kernel/fault.ts'
import type { PackedFile } from './tar.ts'

const EXECUTABLE = 0o755
const SKINS = 'packages/decoys/src/services/http/skins'
/** What of koffi runs; the rest is its source and its documentation. */
const RUNS = /\/koffi\/(?!doc\/|vendor\/|lib\/|cnoke).*\.(?:c?js|json|txt)$/

/** The clone that this command runs from. */
export function findClone(from = import.meta.dirname): string {
  if (existsSync(join(from, 'package-lock.json')) && existsSync(join(from, 'tools/bundle.mjs'))) return from
  if (dirname(from) !== from) return findClone(dirname(from))
  throw new Fault(
    'bad-input',
    'Packages are built in a clone of the sources, with `npx rookery package …`; this Rookery is an installed one.',
  )
}

/** Node below `target`, in `bin/`. */
export function nodeFiles(clone: string, target: string): PackedFile[] {
  const node = join(clone, 'node_modules/node')
  return [
    { path: `${target}/bin/node`, bytes: readFileSync(join(node, 'bin/node')), mode: EXECUTABLE },
    ...filesBelow(join(node, 'node_modules'), `${target}/bin`)
      .filter(({ path }) => path.endsWith(`node-${process.platform}-${process.arch}/LICENSE`))
      .map(({ bytes }) => ({ path: `${target}/bin/LICENSE`, bytes })),
  ]
}

/** The whole bundle below `target`, in `app/`. */
export function bundleFiles(clone: string, target: string): PackedFile[] {
  const built = join(clone, '.build')
  const names = JSON.parse(readFileSync(join(built, 'files.json'), 'utf8')) as readonly string[]
  return [
    ...names.map((name) => ({ path: `${target}/app/${name}`, bytes: readFileSync(join(built, name)) })),
    ...filesBelow(join(clone, SKINS), `${target}/app/skins`),
  ]
}

/** What no bundle contains, below `target` in `node_modules/`. */
export function nativeFiles(clone: string, target: string): PackedFile[] {
  const native = `node_modules/@koromix/koffi-${process.platform}-${process.arch}`
  return [
    ...filesBelow(join(clone, 'node_modules/koffi'), `${target}/node_modules/koffi`).filter(({ path }) =>
      RUNS.test(path),
    ),
    ...filesBelow(join(clone, native), `${target}/${native}`).filter(({ path }) => !path.includes('/musl_')),
  ]
}

export const pageFiles = (clone: string, target: string): PackedFile[] =>
  // The stamp depends on the clone's file times.
  filesBelow(join(clone, '.build/web'), `${target}/app/web`).filter(({ path }) => !path.endsWith('/stamp'))

export const documentation = (clone: string, target: string): PackedFile[] => [
  ...filesBelow(join(clone, 'docs'), target).filter(({ path }) => !path.includes('/decisions/')),
  { path: `${target}/copyright`, bytes: readFileSync(join(clone, 'LICENSE')) },
]

function filesBelow(folder: string, target: string): PackedFile[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({ path: join(target, relative(folder, file)), bytes: readFileSync(file) }))
}
