// The pages that a user uploaded for this Bird, in the place of those of the skin. They are read once, when the settings come
// into force: what a client asks for is looked up among them, and never becomes a path of the file system.
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  type Stats,
} from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { limit } from '@rookery/kernel/limit.ts'
import { typeOfName, type FileRules } from './protocol/file-rules.ts'
import { FILE_RULES } from './load-skin.ts'
import type { Asset, Skin } from './protocol/skin.ts'

/** Files of a webroot. */
export const WEBROOT_FILES = limit('webroot_files', 2_000)
/** All files of a webroot. */
export const WEBROOT_BYTES = limit('webroot_bytes', 16 * 1024 * 1024)
/** Folders of a webroot within each other. */
export const WEBROOT_DEPTH = limit('webroot_depth', 16)

/** Name of the skin in events. */
export const WEBROOT_SKIN = 'webroot'

interface WebrootContent {
  readonly rules: FileRules
  readonly assets: Map<string, Asset>
  readonly folders: Set<string>
  bytes: number
}

/**
 * The server is that of the skin; its login form and its realm are gone. Links, and names that begin with a dot, are left out.
 * Throws when the folder is missing or beyond a limit.
 */
export function loadWebroot(folder: string, { server, modifiedAt }: Skin): Skin {
  const about = folderAt(folder)
  if (!about) throw new Error(`http.userwebroot_present is true, but ${folder} is no folder`)
  const content: WebrootContent = {
    rules: FILE_RULES[server],
    assets: new Map(),
    folders: new Set(),
    bytes: 0,
  }
  addFolder(content, folder, '/', 1)
  const { assets, folders } = content
  const none = { login: undefined, realm: undefined, startPath: undefined }
  return { name: WEBROOT_SKIN, server, modifiedAt, assets, folders, ...none }
}

function addFolder(content: WebrootContent, folder: string, path: string, depth: number): void {
  if (depth > WEBROOT_DEPTH.max) exceed(WEBROOT_DEPTH, `folders within each other at ${path}`)
  content.folders.add(path === '/' ? '/' : path.slice(0, -1))
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name.startsWith('.')) continue
    // Paths are latin1, one character a byte.
    const place = path + Buffer.from(entry.name, 'utf8').toString('latin1')
    if (entry.isDirectory()) addFolder(content, join(folder, entry.name), `${place}/`, depth + 1)
    else if (entry.isFile()) addFile(content, join(folder, entry.name), place)
  }
}

function addFile(content: WebrootContent, file: string, path: string): void {
  const { rules, assets } = content
  const type = typeOfName(rules, path.slice(path.lastIndexOf('/') + 1)) ?? rules.unknownType
  if (type === undefined) return
  if (assets.size >= WEBROOT_FILES.max) exceed(WEBROOT_FILES, 'files')
  const { bytes, modifiedAt } = readWhole(file, content)
  const { compression } = rules
  const isCompressed =
    compression !== undefined && rules.compressed.test(type) && bytes.length >= compression.leastBytes
  assets.set(path, {
    bytes,
    gzipped: isCompressed ? gzipSync(bytes, { level: compression.level }) : undefined,
    type,
    etag: rules.etag(bytes.length, modifiedAt),
    modifiedAt,
  })
}

/** The file itself, also when a link takes its place meanwhile. */
function readWhole(
  file: string,
  content: WebrootContent,
): { readonly bytes: Buffer; readonly modifiedAt: number } {
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    const { size, mtimeMs } = fstatSync(descriptor)
    if (content.bytes + size > WEBROOT_BYTES.max) exceed(WEBROOT_BYTES, 'bytes')
    const bytes = readFileSync(descriptor)
    content.bytes += bytes.length
    return { bytes, modifiedAt: Math.floor(mtimeMs) }
  } finally {
    closeSync(descriptor)
  }
}

function exceed(bound: typeof WEBROOT_FILES, what: string): never {
  bound.hit()
  throw new Error(`The webroot has more than ${bound.max} ${what}`)
}

function folderAt(path: string): Stats | undefined {
  const about = lstatSync(path, { throwIfNoEntry: false })
  return about?.isDirectory() ? about : undefined
}
