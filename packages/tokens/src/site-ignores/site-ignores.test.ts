import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { processorTimer } from '@rookery/kernel/test/processor-timer.ts'
import { splitPatterns } from './patterns.ts'
import { isIgnoredSite, prepareSiteIgnores, readSiteIgnores, siteIgnoresOf } from './site-ignores.ts'

const reasonOf = async (text: string): Promise<string> => {
  const error: unknown = await readSiteIgnores(text).catch((it: unknown) => it)
  return (error as { details?: { ignores?: string } }).details?.ignores ?? ''
}

describe('a list of regular expressions', () => {
  it('is split at commas outside brackets and not after a backslash', () => {
    expect(splitPatterns(' a\\.example , ^b{1,3}$,[,(]x,(c,d),e\\,f,, ')).toEqual([
      'a\\.example',
      '^b{1,3}$',
      '[,(]x',
      '(c,d)',
      'e\\,f',
    ])
    expect(splitPatterns(' ,, ')).toEqual([])
    expect(splitPatterns('(a,b')).toEqual(['(a,b'])
  })

  it('loses no character but separating commas and blanks', () => {
    const alphabet = [...'ab,.\\()[]{} ']
    const text = fc.array(fc.constantFrom(...alphabet)).map((characters) => characters.join(''))
    fc.assert(
      fc.property(text, (given) => {
        const bare = (it: string): string => it.replace(/[, ]/g, '')
        expect(bare(splitPatterns(given).join(','))).toBe(bare(given))
      }),
    )
  })

  it('is refused with the expression that is wrong, also one that RE2 does not have', async () => {
    expect(await reasonOf('ok\\.example,[a')).toContain('[a is wrong: ')
    expect(await reasonOf('(a)\\1')).toContain('(a)\\1 is wrong: ')
    expect(await reasonOf('(?<=x)y')).toContain('(?<=x)y is wrong: ')
    expect(await reasonOf('(a{1000}){1000}')).toContain('(a{1000}){1000} is wrong: ')
    expect(await reasonOf('a'.repeat(101).split('').join(','))).toContain('at most 100')
    expect(await reasonOf('(\\pL?){1000}$')).toContain('takes too long')
    expect(await reasonOf('\\pL'.repeat(33))).toContain('at most 32 classes such as \\pL')
    expect(await readSiteIgnores(`${'\\\\p'.repeat(33)}`)).toEqual(['\\\\p'.repeat(33)])
    expect(await readSiteIgnores('^a$,b')).toEqual(['^a$', 'b'])
    expect(await readSiteIgnores('')).toEqual([])
  })
})

describe('a list that costs much to compile', () => {
  it('is refused or read within half a second, at the 16 KiB that a caller may send', async () => {
    await readSiteIgnores('a')
    const costly = (piece: string): string => piece.repeat(Math.floor(16_384 / piece.length))
    const lists = [`[${costly('\\pL\\PL')}]`, costly('(?i:\\pL)'), costly('[\\pL\\PN]'), costly('[\\W\\D]')]
    for (const list of lists) {
      const elapsedMs = processorTimer()
      await reasonOf(list)
      expect(elapsedMs(), list.slice(0, 20)).toBeLessThan(500)
    }
  })
})

describe('an ignored site', () => {
  const isIgnored = async (href: string, ignores?: readonly string[], isEnabled?: boolean) => {
    const settings = { ...(ignores && { ignores }), ...(isEnabled === false && { ignores_enabled: false }) }
    await prepareSiteIgnores(settings)
    return isIgnoredSite(settings, href)
  }

  it('is one whose host or whole address has an expression', async () => {
    const list = ['^staging\\.', '/preview\\?']
    expect(await isIgnored('https://staging.example.net/x', list)).toBe(true)
    expect(await isIgnored('https://evil.example.net/preview?id=1', list)).toBe(true)
    expect(await isIgnored('https://evil.example.net/staging.', list)).toBe(false)
    expect(await isIgnored('https://staging.example.net/x', list, false)).toBe(false)
    expect(await isIgnored('no address', ['address$'])).toBe(true)
  })

  it('is this machine, a translator or an archive, until a list is saved', async () => {
    const harmless = [
      'http://localhost:3000/',
      'http://127.0.0.1/',
      'https://example-com.translate.goog/',
      'https://web.archive.org/web/1/https://example.com/',
    ]
    for (const href of harmless) {
      expect(await isIgnored(href), href).toBe(true)
      expect(await isIgnored(href, []), href).toBe(false)
    }
    expect(await isIgnored('https://eviltranslate.goog.example/')).toBe(false)
    expect(await isIgnored('https://evil.example/?https://web.archive.org')).toBe(false)
    expect(await readSiteIgnores(siteIgnoresOf({}).ignores.join(','))).toEqual(siteIgnoresOf({}).ignores)
  })

  it('is found in a time that grows with the address alone', async () => {
    const list = [`(${'a|'.repeat(10)}a)*b$`, '(a*)*b', '(a+)+$']
    await readSiteIgnores(list.join(','))
    const href = `https://${'a'.repeat(60)}.example/${'a'.repeat(20_000)}!`
    const elapsedMs = processorTimer()
    expect(await isIgnored(href, list)).toBe(true)
    expect(elapsedMs()).toBeLessThan(1_000)
  })
})
