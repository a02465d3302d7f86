// A tar archive (ustar, POSIX 1003.1) whose bytes depend on its content alone: sorted, of root, without times.
import { dirname } from 'node:path'
import { Fault } from '@rookery/kernel/fault.ts'

export interface PackedFile {
  /** From the root of the file system, without a slash at its beginning. */
  readonly path: string
  readonly bytes: Uint8Array
  readonly mode?: number
}

export interface PackedFolder {
  readonly path: string
  readonly mode: number
}

const BLOCK = 512
const NAME_BYTES = 100
const PREFIX_BYTES = 155
const FOLDER = '5'
const FILE = '0'

/** The folders of the files are added; `folders` are those that need another mode, or hold nothing. */
export function tarOf(files: readonly PackedFile[], folders: readonly PackedFolder[] = []): Buffer {
  const modes = new Map<string, number>(files.flatMap(({ path }) => above(path)).map((path) => [path, 0o755]))
  for (const { path } of folders) for (const each of above(path)) modes.set(each, modes.get(each) ?? 0o755)
  for (const { path, mode } of folders) modes.set(path, mode)
  const entries = [
    ...[...modes].map(([path, mode]) => ({
      path: `./${path}/`,
      mode,
      type: FOLDER,
      bytes: new Uint8Array(),
    })),
    ...files.map(({ path, bytes, mode = 0o644 }) => ({ path: `./${path}`, mode, type: FILE, bytes })),
  ].sort((a, b) => (a.path < b.path ? -1 : 1))
  return archive([{ path: './', mode: 0o755, type: FOLDER, bytes: new Uint8Array() }, ...entries])
}

/** These files alone, in this order, under these names. */
export const streamTarOf = (files: readonly PackedFile[]): Buffer =>
  archive(files.map(({ path, bytes, mode = 0o644 }) => ({ path, mode, type: FILE, bytes })))

interface Entry extends Required<PackedFile> {
  readonly type: string
}

const archive = (entries: readonly Entry[]): Buffer =>
  Buffer.concat([
    ...entries.flatMap(({ path, mode, type, bytes }) => [
      header(path, mode, type, bytes.length),
      bytes,
      Buffer.alloc(-bytes.length & (BLOCK - 1)),
    ]),
    Buffer.alloc(2 * BLOCK),
  ])

/** `a/b/c` → `a`, `a/b`. */
const above = (path: string): string[] => {
  const folder = dirname(path)
  return folder === '.' ? [] : [...above(folder), folder]
}

/**
 *   0     100   108  116  124   136   148  156   157   257       265    297     329 345
 *   name  mode  uid  gid  size  time  sum  type  link  "ustar"00  owner  group  …   prefix
 */
function header(path: string, mode: number, type: string, size: number): Buffer {
  const block = Buffer.alloc(BLOCK)
  const [prefix, name] = split(path)
  block.write(name, 0)
  for (const [value, at, digits] of [
    [mode, 100, 7],
    [0, 108, 7],
    [0, 116, 7],
    [size, 124, 11],
    [0, 136, 11],
  ] as const)
    block.write(value.toString(8).padStart(digits, '0'), at)
  block.write('        ', 148)
  block.write(type, 156)
  block.write('ustar\u000000', 257)
  block.write('root', 265)
  block.write('root', 297)
  block.write(prefix, 345)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return block
}

/** A long path is split at a slash: what is before goes into the prefix. */
function split(path: string): [prefix: string, name: string] {
  if (Buffer.byteLength(path) <= NAME_BYTES) return ['', path]
  for (let at = path.indexOf('/', 2); at > 0; at = path.indexOf('/', at + 1)) {
    const [prefix, name] = [path.slice(0, at), path.slice(at + 1)]
    if (name !== '' && Buffer.byteLength(name) <= NAME_BYTES && Buffer.byteLength(prefix) <= PREFIX_BYTES)
      return [prefix, name]
  }
  throw new Fault('bad-input', `${path} is too long for a tar archive.`)
}
