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
