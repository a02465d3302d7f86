// A kind of receiver is its folder and its contract group: nothing else knows its name.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { receiverKinds } from '../receivers.gen.ts'

const src = join(import.meta.dirname, '../..')
/** Columns of these tables, and parameters of these kinds, have names of their own that are also words for receivers. */
const OTHER_WORDS = /^(stores\/(incidents|users)|notify\/receivers\/jira)\//
/** Where the contract group of a kind is served that needs more than routes. */
const FEATURES: Readonly<Record<string, string>> = { chatops: 'features/flock-chats/' }

const sources = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((path) => /(?<!\.(test|gen))\.ts$/.test(path) && !OTHER_WORDS.test(path))
  .map((path) => ({ path, text: readFileSync(join(src, path), 'utf8') }))

describe.each(Object.keys(receiverKinds))('the kind of receiver %s', (kind) => {
  const own = `notify/receivers/${kind}/`
  const descriptor = receiverKinds[kind]?.descriptor

  it('is named nowhere in the console but in its folder', () => {
    const names = new RegExp(`'${kind}'|"${kind}"|/receivers/${kind}/`)
    const isOwn = (path: string): boolean => path.startsWith(own) || path.startsWith(FEATURES[kind] ?? own)
    const others = sources.filter(({ path, text }) => !isOwn(path) && names.test(text))
    expect(others.map(({ path }) => path)).toEqual([])
    expect(readFileSync(join(src, own, 'descriptor.ts'), 'utf8')).toContain(`'${kind}'`)
  })

  it('has the name of its folder, a README, and somebody who makes its receivers', () => {
    expect(descriptor?.kind).toBe(kind)
    expect(existsSync(join(src, own, 'README.md'))).toBe(true)
    expect(receiverKinds[kind]?.routes !== undefined).toBe(descriptor?.madeBy === 'operations')
  })
})

it('no two kinds share a list or a field of webhooks/info', () => {
  const places = Object.values(receiverKinds).map(({ descriptor: it }) =>
    it.madeBy === 'operations' ? it.info.field : it.list,
  )
  expect(new Set(places).size).toBe(places.length)
})
