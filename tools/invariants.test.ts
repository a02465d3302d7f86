// Each rule of docs/invariants.md names tests that hold it, and they are there.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from './clone.mjs'

const RULES = readFileSync(join(root, 'docs/invariants.md'), 'utf8').split(/^## /m).slice(1)
/** A file and a claim of it, which may be broken over lines. */
const HELD = /`([^`]+\.test\.ts)`:\s+"([^"]+)"/g

describe.each(RULES.map((rule) => [rule.split('\n')[0], rule]))('%s', (_title, rule = '') => {
  const held = [...rule.matchAll(HELD)]
  it('says what to do and what not, and is held by a test', () => {
    expect(rule).toMatch(/^- Do: [^]*^- Don't: /m)
    expect(held).not.toEqual([])
  })

  it.each(held.map(([, file = '', claim = '']) => [file, claim.replaceAll(/\s+/g, ' ')]))(
    '%s claims: %s',
    (file, claim) => {
      expect(readFileSync(join(root, file), 'utf8').replaceAll(/\s+/g, ' ')).toContain(claim)
    },
  )
})
