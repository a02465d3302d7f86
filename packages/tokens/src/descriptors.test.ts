// What every kind must say of itself: the gallery, alerts and the reference have nothing else to show.
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { COMMON_KEYS, providersOf, type TokenDescriptor } from './descriptor.ts'
import { descriptors } from './descriptors.gen.ts'
import { forges } from './forges.gen.ts'
import { kinds } from './kinds.gen.ts'
import { providerDescriptors } from './provider-descriptors.gen.ts'
import { providers } from './providers.gen.ts'
import { readSettings } from './settings.ts'

const all: readonly TokenDescriptor[] = descriptors
const named = all.map((descriptor): [string, TokenDescriptor] => [descriptor.kind, descriptor])
const SENTENCE = /^[A-Z].{10,}\.$/

it('each kind has the name of its folder, and both doors', () => {
  const folders = readdirSync(new URL('./kinds', import.meta.url)).sort()
  expect(all.map(({ kind }) => kind)).toEqual(folders)
  expect(Object.values(kinds).map(({ descriptor }) => descriptor)).toEqual(descriptors)
})

/** Each kind of the specification (2.10, 4.3) and its logtype. */
const SPECIFIED: Readonly<Record<string, string>> = {
  'chatops-api': '17020',
  'cloned-css': '17025',
  'cloned-web': '17003',
  'cloud-a-id': '17012',
  'cloud-b-id': '17024',
  'cloud-b-login': '17026',
  'credit-card': '17027',
  dbdump: '17029',
  'directory-login': '16012',
  dns: '16000',
  'doc-spreadsheet': '17023',
  'doc-wordproc': '17004',
  'fast-redirect': '17016',
  http: '17000',
  'idp-app': '17030',
  'os-dir': '16006',
  'pdf-reader': '16008',
  pwa: '17028',
  'qr-code': '17009',
  'sensitive-cmd': '16011',
  'signed-exe': '17008',
  'slow-redirect': '17017',
  'spreadsheet-macro': '16010',
  sql: '17011',
  svn: '17010',
  vpn: '17022',
  'web-image': '17001',
  'wordproc-macro': '16009',
}

/** Their parameters (4.11); those that are required end in *. Further ones of a kind are extensions. */
const PARAMETERS: Readonly<Record<string, readonly string[]>> = {
  'cloned-css': ['expected_referrer'],
  'cloned-web': ['cloned_web*'],
  'cloud-a-id': ['expiry'],
  'cloud-b-id': ['azure_id_cert_file_name*'],
  'cloud-b-login': ['expected_referrer'],
  'directory-login': ['tokened_usernames*'],
  'doc-wordproc': ['doc'],
  'fast-redirect': ['browser_redirect_url*'],
  http: ['browser_scanner_enabled'],
  'idp-app': ['idp_app_type'],
  'pdf-reader': ['pdf'],
  pwa: ['pwa_app_name', 'pwa_icon'],
  'sensitive-cmd': ['process_name*'],
  'signed-exe': ['exe*'],
  'slow-redirect': ['browser_redirect_url*'],
  'web-image': ['web_image*'],
}

it('each kind of the specification is there, with its logtype and its parameters', () => {
  const specified = all.filter(({ kind }) => kind in SPECIFIED)
  expect(Object.fromEntries(specified.map(({ kind, logtype }) => [kind, logtype]))).toEqual(SPECIFIED)
  for (const { kind, settings } of specified) {
    const names = Object.entries(settings).map(([name, it]) => `${name}${it.required ? '*' : ''}`)
    expect(names, kind).toEqual(expect.arrayContaining([...(PARAMETERS[kind] ?? [])]))
    const required = names.filter((name) => name.endsWith('*'))
    expect(PARAMETERS[kind] ?? [], kind).toEqual(expect.arrayContaining(required))
  }
})

it('the kinds with a file to download are those that forge one', () => {
  const downloading = all.filter(({ downloads }) => downloads).map(({ kind }) => kind)
  expect(Object.keys(forges)).toEqual(downloading)
})

it('a kind names a provider that there is, and settings of its own that stay as they are', () => {
  const providers: readonly string[] = providerDescriptors.map(({ provider }) => provider)
  for (const kind of all.filter((it) => it.provider !== undefined)) {
    expect(providers).toEqual(expect.arrayContaining(providersOf(kind)))
    expect(providersOf(kind)).toContain(kind.provider?.name)
    expect(Object.keys(kind.settings)).toEqual(expect.arrayContaining([...(kind.provider?.fixed ?? [])]))
  }
})

it('each provider has the name of its folder, a client, and options of its own', () => {
  const folders = readdirSync(new URL('./providers', import.meta.url)).sort()
  expect(providerDescriptors.map(({ provider }) => provider)).toEqual(folders)
  expect(Object.keys(providers)).toEqual(folders)
  const options = providerDescriptors.flatMap((it) => Object.keys(it.options))
  expect(options).toEqual([...new Set(options)])
})

describe.each(named)('the kind %s', (_kind, about) => {
  it('says where the gallery shows it and by which words it is found', () => {
    expect(about.name).toMatch(/^[A-Z]/)
    expect(about.shelf).toMatch(/^[A-Z]/)
    expect(about.keywords.length).toBeGreaterThan(2)
    for (const keyword of about.keywords) expect(keyword).toMatch(/^[a-z0-9][a-z0-9 ./-]*$/)
  })

  it('has an example with every required setting, and none of another kind', () => {
    const { settings, touch } = about.example
    const required = Object.entries(about.settings).filter(([, { required }]) => required === true)
    expect(Object.keys(settings)).toEqual(expect.arrayContaining(required.map(([name]) => name)))
    expect(Object.keys(about.settings)).toEqual(expect.arrayContaining(Object.keys(settings)))
    expect(touch).not.toBe('')
  })

  it('has a page that says what fires it, what it stays silent on, and names each key of its events and no other', () => {
    const page = readFileSync(new URL(`kinds/${about.kind}/README.md`, import.meta.url), 'utf8')
    const rows = page.split('\n').filter((line) => /^\| (event keys|the alert shows)/.test(line))
    // What stands in parentheses explains a key.
    const words = rows.flatMap((row) => [
      ...row.replaceAll(/\([^)]*\)/g, '').matchAll(/`([a-z][a-z0-9_]*)`/g),
    ])
    const common: readonly string[] = COMMON_KEYS
    const keys = new Set(words.flatMap(([, word = '']) => (common.includes(word) ? [] : [word])))
    expect([...keys].sort()).toEqual([...about.keys].sort())
    expect(page).toMatch(/^\| fires/m)
    expect(page).toMatch(/^\| stays silent/m)
  })

  it('says in sentences what fires it, what keeps it silent, and where to put it', () => {
    expect([about.firedBy, about.silencedBy]).toEqual([
      expect.stringMatching(SENTENCE),
      expect.stringMatching(SENTENCE),
    ])
    expect(about.placement.length).toBeGreaterThan(0)
    expect(about.placement.length).toBeLessThanOrEqual(3)
    for (const place of about.placement) expect(place).toMatch(SENTENCE)
  })

  it('says what its incident means and what to do next', () => {
    expect(['used', 'tried', 'looked', 'house']).toContain(about.level)
    expect(about.meaning).toMatch(SENTENCE)
    expect(about.next.length).toBeGreaterThan(0)
    expect(about.next.length).toBeLessThanOrEqual(3)
    for (const step of about.next) expect(step).toMatch(SENTENCE)
  })

  it('names as best evidence keys that its events have', () => {
    expect(about.evidence.length).toBeGreaterThan(0)
    for (const key of about.evidence) expect([...COMMON_KEYS, ...about.keys]).toContain(key)
    for (const key of about.keys) expect(key).toMatch(/^[a-z][a-z0-9_]*$/)
  })

  it('describes each of its settings in a line, and has defaults that it takes itself', () => {
    for (const { description } of Object.values(about.settings))
      expect(description).toMatch(/^[A-Z].{4,98}[^.]$/)
    const optional = Object.entries(about.settings).filter(([, { required }]) => !required)
    expect(() => readSettings({ ...about, settings: Object.fromEntries(optional) }, {})).not.toThrow()
  })
})
