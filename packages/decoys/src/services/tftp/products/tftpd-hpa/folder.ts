// What a path leads to in the folder that the server has as its root: files, and no other folder.
import { MAX_NAME_BYTES, MAX_PATH_BYTES, type Failure } from './profile.ts'

/** The bytes of each file by its name; latin1. */
export type Files = ReadonlyMap<string, Buffer>

/** The file to read, or a new one to write, which is empty; or why there is none. */
export function lookUp(path: string, files: Files, isWrite: boolean): Buffer | Failure {
  if (path.length >= MAX_PATH_BYTES) return 'longName'
  const parts = path.split('/').filter((part) => part !== '')
  const isInRoot = (part: string): boolean => part === '.' || part === '..'
  const at = parts.findIndex((part) => !isInRoot(part))
  const name = parts[at]
  if (name === undefined) return 'folder'
  if (name.length > MAX_NAME_BYTES) return 'longName'
  // A file is no folder, and nothing else is there.
  if (at < parts.length - 1) return 'notFound'
  if (path.endsWith('/')) return isWrite ? 'folder' : 'notFound'
  return isWrite ? Buffer.alloc(0) : (files.get(name) ?? 'notFound')
}

/** Lines as the network has them (RFC 764): LF as CR LF, and CR as CR NUL. */
export const asNetascii = (bytes: Buffer): Buffer =>
  Buffer.from(
    bytes.toString('latin1').replace(/[\r\n]/g, (end) => (end === '\n' ? '\r\n' : '\r\0')),
    'latin1',
  )
