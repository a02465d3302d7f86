import { expect, it } from 'vitest'
import { annotations } from './annotations.ts'
import { descriptors } from './descriptors.gen.ts'

it('each known scanner has a name of its own, an explanation, and touches kinds that there are', () => {
  expect(new Set(annotations.map(({ name }) => name)).size).toBe(annotations.length)
  const kinds = new Set<string>(descriptors.map(({ kind }) => kind))
  for (const { name, text, kb_link, kinds: touched, networks } of annotations) {
    expect(name, name).toMatch(/^[a-z0-9_]{1,64}$/)
    expect(text, name).toMatch(/^This looks like .*\.$/)
    expect(kb_link, name).toMatch(/^https:\/\//)
    expect(
      touched.filter((kind) => !kinds.has(kind)),
      name,
    ).toEqual([])
    expect([touched.length, networks.length], name).not.toContain(0)
    expect(new Set(touched).size, name).toBe(touched.length)
  }
})
