import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { systemRandom } from '../world/system.ts'
import { readCursor, signCursor } from './cursor.ts'
import { incidentNames } from './incident-name.ts'
import { findTokenId, newTokenId } from './token-id.ts'
import { openVault } from './vault.ts'

const master = systemRandom.bytes(32)
const vault = openVault(master, systemRandom)
const other = openVault(systemRandom.bytes(32), systemRandom)
const place = { table: 't', column: 'c', row: '1' }

describe('a sealed secret', () => {
  it('opens in its place and nowhere else', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const sealed = vault.seal(text, place)
        expect(vault.open(sealed, place)).toBe(text)
        expect(() => vault.open(sealed, { ...place, row: '2' })).toThrow('does not open')
        expect(() => other.open(sealed, place)).toThrow('was sealed under master key')
      }),
    )
  })

  it('never shows the text, and never looks the same twice', () => {
    const [a, b] = [vault.seal('hunter2hunter2', place), vault.seal('hunter2hunter2', place)]
    expect(a).not.toContain('hunter2')
    expect(a).not.toBe(b)
  })

  it('is refused when one character is altered', () => {
    const sealed = vault.seal('secret', place)
    fc.assert(
      fc.property(fc.integer({ min: 12, max: sealed.length - 1 }), (at) => {
        const altered = sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1)
        const opened = (() => {
          try {
            return vault.open(altered, place)
          } catch {
            return undefined
          }
        })()
        // The last character of base64url may carry bits that do not count.
        if (at < sealed.length - 1) expect(opened).toBeUndefined()
      }),
    )
  })
})

describe('a token id', () => {
  it('is found anywhere in a URL or host name, in any case, and proves itself', () => {
    const id = newTokenId(systemRandom, vault)
    expect(id).toMatch(/^[a-z0-9]{25}$/)
    for (const text of [
      `/img/${id}/a.gif`,
      `/x?q=${id}`,
      `${id}.t.example`,
      `/A/${id.toUpperCase()}`,
      `/p${id}s.gif`,
      `/%${id.charCodeAt(0).toString(16)}${id.slice(1)}/a.gif`,
      `/${Array.from(id, (it) => `%${it.charCodeAt(0).toString(16).toUpperCase()}`).join('')}`,
    ]) {
      expect(findTokenId(text, vault)).toBe(id)
    }
    expect(findTokenId(`/img/${id}/a.gif`, other)).toBeUndefined()
  })

  it('is never found in noise', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 0, maxLength: 300 }), (text) => {
        expect(findTokenId(text, vault)).toBeUndefined()
      }),
    )
  })
})

describe("an incident's name", () => {
  const names = incidentNames(vault)
  const number = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER })

  it('leads back to its number, under its own master key only', () => {
    fc.assert(
      fc.property(number, (id) => {
        const { hashId, keyPart } = names.of(id)
        expect([hashId.length, keyPart.length]).toEqual([32, 24])
        expect(names.fromHashId(hashId)).toBe(id)
        expect(names.fromKey(`incident:sshlogin:${keyPart}:192.0.2.1:1`)).toBe(id)
        expect(incidentNames(other).fromHashId(hashId)).toBeUndefined()
        expect(incidentNames(other).fromKey(`incident:sshlogin:${keyPart}:192.0.2.1:1`)).toBeUndefined()
      }),
    )
  })

  it('is never found by guessing', () => {
    const hex = (length: number) =>
      fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: length, maxLength: length })
    fc.assert(
      fc.property(hex(32), hex(24), fc.string(), (hashId, keyPart, noise) => {
        expect(names.fromHashId(hashId)).toBeUndefined()
        expect(names.fromKey(`incident:x:${keyPart}:y:1`)).toBeUndefined()
        expect(names.fromHashId(noise)).toBeUndefined()
        expect(names.fromKey(noise)).toBeUndefined()
      }),
    )
  })
})

describe('a cursor', () => {
  it('comes back as it was, for its own list only', () => {
    const cursor = signCursor(vault, '/a', { limit: 3, from: 'x' })
    expect(readCursor(vault, '/a', cursor)).toEqual({ limit: 3, from: 'x' })
    // Another console of the same master key, or this one after a restart, has never seen it.
    const elsewhere = openVault(master, systemRandom)
    expect(readCursor(elsewhere, '/a', cursor)).toEqual({ limit: 3, from: 'x' })
    for (const wrong of [`${cursor}x`, `x${cursor}`, '', '.', 'a.b.c']) {
      expect(() => readCursor(vault, '/a', wrong)).toThrow('Parameter cursor was invalid.')
    }
    expect(() => readCursor(vault, '/b', cursor)).toThrow('Parameter cursor was invalid.')
    expect(() => readCursor(other, '/a', cursor)).toThrow('Parameter cursor was invalid.')
  })

  it('comes back also when hundreds have been given since', () => {
    const cursors = Array.from({ length: 1_200 }, (_, at) => signCursor(vault, '/a', { at }))
    expect(new Set(cursors).size).toBe(1_200)
    expect(cursors.map((cursor) => readCursor(vault, '/a', cursor))).toEqual(cursors.map((_, at) => ({ at })))
    expect(cursors.map((_, at) => signCursor(vault, '/a', { at }))).toEqual(cursors)
  })
})
