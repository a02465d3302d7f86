// Reads a skin: a folder of `skins/` with `skin.json`, a first page and the files that they use.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { apacheFiles } from './products/apache/files.ts'
import { typeOfName, type FileRules } from './protocol/file-rules.ts'
import { iisFiles } from './products/iis/files.ts'
import { lighttpdFiles } from './products/lighttpd/files.ts'
import { nginxFiles } from './products/nginx/files.ts'
import type { Asset, LoginForm, ServerName, Skin } from './protocol/skin.ts'
import { printerFiles } from './products/printer/files.ts'

export const FILE_RULES = {
  apache: apacheFiles,
  nginx: nginxFiles,
  lighttpd: lighttpdFiles,
  iis: iisFiles,
  printer: printerFiles,
} as const satisfies Record<ServerName, FileRules>

interface SkinFile {
  readonly title: string
  readonly server: ServerName
  readonly login?: Omit<LoginForm, 'wrongCredentials'> & { readonly answer: string }
  readonly realm?: string
  readonly startPath?: string
  readonly modified: string
}

/** Next to this file; or in the sources, when this runs from the bundle in `.build/`. */
const SKIN_FOLDERS = ['./skins/', '../packages/decoys/src/services/http/skins/'].map(
  (path) => new URL(path, import.meta.url),
)
const ASKS_FOR_CREDENTIALS: readonly ServerName[] = ['apache', 'printer']

const skins = new Map<string, Skin>()

/** Reads each skin once; throws when there is none of that name. */
export function loadSkin(name: string): Skin {
  const known = skins.get(name)
  if (known) return known
  const folder = SKIN_FOLDERS.map((base) => new URL(`${encodeURIComponent(name)}/`, base)).find((url) =>
    isFolder(url),
  )
  if (!folder) throw new Error(`http.skin is ${JSON.stringify(name)}; no folder of skins/ has that name`)
  const { server, login, realm, startPath, modified } = JSON.parse(
    readFileSync(new URL('skin.json', folder), 'utf8'),
  ) as SkinFile
  if (realm !== undefined && !ASKS_FOR_CREDENTIALS.includes(server))
    throw new Error(
      `The skin ${name} has a realm and the server ${server}; only ${ASKS_FOR_CREDENTIALS.join(' and ')} ask for credentials`,
    )
  const modifiedAt = Date.parse(modified)
  const assets = new Map<string, Asset>()
  const folders = new Set<string>()
  addFolder(folder, '/')
  const form = login && formOf(login)
  const skin = { name, server, realm, startPath, login: form, modifiedAt, assets, folders }
  skins.set(name, skin)
  return skin

  /** The answer is a page of its own, without an address. The form's path shows the first page until it is posted to. */
  function formOf({ answer, ...form }: NonNullable<SkinFile['login']>): LoginForm {
    const wrongCredentials = assets.get(`/${answer}`)
    const index = assets.get('/index.html')
    if (!wrongCredentials || !index)
      throw new Error(`The skin ${name} has no index.html or no ${answer}; its login form needs both`)
    assets.delete(`/${answer}`)
    if (!assets.has(form.path)) assets.set(form.path, index)
    return { ...form, wrongCredentials }
  }

  function addFolder(from: URL, path: string): void {
    folders.add(path === '/' ? '/' : path.slice(0, -1))
    for (const entry of readdirSync(from, { withFileTypes: true })) {
      if (entry.isDirectory()) addFolder(new URL(`${entry.name}/`, from), `${path}${entry.name}/`)
      else if (entry.name !== 'skin.json' && !entry.name.endsWith('.gz'))
        assets.set(
          path + entry.name,
          readAsset(new URL(entry.name, from), entry.name, FILE_RULES[server], modifiedAt),
        )
    }
  }
}

function readAsset(file: URL, name: string, rules: FileRules, modifiedAt: number): Asset {
  const bytes = readFileSync(file)
  const type = typeOfName(rules, name) ?? 'application/octet-stream'
  return {
    bytes,
    gzipped: rules.compressed.test(type) ? readFileSync(new URL(`${file.href}.gz`)) : undefined,
    type,
    etag: rules.etag(bytes.length, modifiedAt),
    modifiedAt,
  }
}

function isFolder(url: URL): boolean {
  try {
    return statSync(url).isDirectory()
  } catch {
    return false
  }
}
