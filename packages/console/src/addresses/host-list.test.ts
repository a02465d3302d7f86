import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileHostList, hostName, parseHostLine } from './host-list.ts'

const label = fc.string({ unit: fc.constantFrom('a', 'b', '1', '-', '_'), minLength: 1, maxLength: 3 })
const name = fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join('.'))

describe('a list of host names', () => {
  it('has a name and all names below it, and no other that ends alike', () => {
    const list = compileHostList(['Scanners.Example.com. # ours', '# a comment', '*.printer'])
    for (const in_ of ['scanners.example.com', 'A.b.SCANNERS.example.com.', 'printer', 'lab.printer'])
      expect([in_, list.has(in_)]).toEqual([in_, true])
    for (const out of ['myscanners.example.com', 'example.com', 'com', 'printer.lab', '', '.', 'a..printer'])
      expect([out, list.has(out)]).toEqual([out, false])
  })

  it('names the line of a name as it was typed, the first of those that have it', () => {
    const list = compileHostList(['*.Example.org # theirs', 'example.org', 'Lab.example.org.'])
    expect(list.entryFor('scan1.example.org')).toBe('*.Example.org # theirs')
    expect(list.entryFor('a.lab.example.org')).toBe('Lab.example.org.')
    expect(list.entryFor('example.com')).toBeUndefined()
  })

  it('agrees with comparing label by label', () => {
    fc.assert(
      fc.property(fc.array(name, { maxLength: 4 }), name, (lines, asked) => {
        const valid = lines.filter((it) => hostName(it) !== undefined)
        const below = (of: string): boolean => `.${asked}`.endsWith(`.${of}`)
        expect(compileHostList(valid).has(asked)).toBe(hostName(asked) !== undefined && valid.some(below))
      }),
      { numRuns: 500 },
    )
  })

  it('takes names of other alphabets as the DNS spells them', () => {
    expect(hostName('Bücher.example')).toBe('xn--bcher-kva.example')
    expect(compileHostList(['bücher.example']).has('www.xn--bcher-kva.example')).toBe(true)
  })

  it('refuses what is no host name, and says which line', () => {
    for (const wrong of [
      '10.0.0.1',
      '::1',
      '*.',
      'a.*.example.com',
      'a b',
      'a..b',
      '-a',
      'http://a',
      `${'a'.repeat(64)}.b`,
    ])
      expect(() => parseHostLine(wrong, 'hostnames')).toThrow(
        expect.objectContaining({
          details: { hostnames: expect.stringContaining(JSON.stringify(wrong)) as string },
        }) as Error,
      )
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(typeof compileHostList([]).has(text)).toBe('boolean')
      }),
    )
  })
})
