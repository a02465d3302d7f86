// A skin: the files of a device's web pages, read once. A folder of `skins/`: `skin.json`, `index.html`, whatever they need.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

export interface Asset {
  readonly bytes: Buffer
  readonly gzipped: Buffer | undefined
  readonly type: string
  readonly etag: string
}

export interface Skin {
  readonly name: string
  readonly login: { readonly path: string; readonly username: string; readonly password: string }
  /** The page that follows a login: it says that name or password is wrong. */
  readonly refusal: Asset
  readonly modifiedAt: number
  /** By path, `/css/login.css`. */
  readonly assets: ReadonlyMap<string, Asset>
  /** Folders by path, `/` and `/css`. */
  readonly folders: ReadonlySet<string>
}

interface SkinFile {
  readonly title: string
  readonly login: {
    readonly path: string
    readonly username: string
    readonly password: string
    readonly answer: string
  }
  readonly modified: string
}

/** Beside this file, or in the sources when this runs from a bundle (`.build/` of the repository). */
const FOLDERS = ['./skins/', '../packages/decoys/src/services/http/skins/'].map(
  (path) => new URL(path, import.meta.url),
)

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html',
  css: 'text/css',
  js: 'text/javascript',
  txt: 'text/plain',
  ico: 'image/vnd.microsoft.icon',
  png: 'image/png',
  svg: 'image/svg+xml',
}
/** What Debian's mod_deflate compresses. */
const COMPRESSED = /^text\/(html|css|javascript)$/

const loaded = new Map<string, Skin>()

/** The skin of that name; throws when there is none. */
export function loadSkin(name: string): Skin {
  const known = loaded.get(name)
  if (known) return known
  const folder = FOLDERS.map((base) => new URL(`${encodeURIComponent(name)}/`, base)).find((url) =>
    isFolder(url),
  )
  if (!folder) throw new Error(`There is no skin named ${JSON.stringify(name)}`)
  const { login, modified } = JSON.parse(readFileSync(new URL('skin.json', folder), 'utf8')) as SkinFile
  const modifiedAt = Date.parse(modified)
  const assets = new Map<string, Asset>()
  const folders = new Set<string>()
  walk(folder, '/')
  const refusal = assets.get(`/${login.answer}`)
  const index = assets.get('/index.html')
  if (!refusal || !index) throw new Error(`The skin ${name} lacks index.html or ${login.answer}`)
  assets.delete(`/${login.answer}`)
  if (!assets.has(login.path)) assets.set(login.path, index)
  const skin = { name, login, refusal, modifiedAt, assets, folders }
  loaded.set(name, skin)
  return skin

  function walk(from: URL, path: string): void {
    folders.add(path === '/' ? '/' : path.slice(0, -1))
    for (const entry of readdirSync(from, { withFileTypes: true })) {
      if (entry.isDirectory()) walk(new URL(`${entry.name}/`, from), `${path}${entry.name}/`)
      else if (entry.name !== 'skin.json') {
        assets.set(
          path + entry.name,
          describe(readFileSync(new URL(entry.name, from)), entry.name, modifiedAt),
        )
      }
    }
  }
}

function describe(bytes: Buffer, name: string, modifiedAt: number): Asset {
  const type = TYPES[name.split('.').at(-1)!] ?? 'application/octet-stream'
  return {
    bytes,
    gzipped: COMPRESSED.test(type) ? gzipSync(bytes) : undefined,
    type,
    // Size and time of change in microseconds, as Apache makes it.
    etag: `${bytes.length.toString(16)}-${(modifiedAt * 1000).toString(16)}`,
  }
}

function isFolder(url: URL): boolean {
  try {
    return statSync(url).isDirectory()
  } catch {
    return false
  }
}
