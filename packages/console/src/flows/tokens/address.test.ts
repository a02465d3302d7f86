import { kinds } from '@rookery/tokens/kinds.gen.ts'
import { qrSymbol } from '@rookery/tokens/qr/symbol.ts'
import { describe, expect, it } from 'vitest'
import { systemRandom } from '../../world/system.ts'
import { newAddress } from './address.ts'

const origin = {
  url: 'http://t.example',
  httpsUrl: undefined,
  domain: 't.example',
  mysql: '',
  postgres: '',
}
function urlsOf(kind: string, tokenId = 'id', url = origin.url): string[] {
  const descriptor = kinds[kind]?.descriptor
  if (!descriptor) throw new Error(`There is no kind ${kind}.`)
  return Array.from(
    { length: 200 },
    () => newAddress(tokenId, { ...origin, url }, systemRandom, descriptor).url,
  )
}

const endingsOf = (kind: string): Set<string> =>
  new Set(urlsOf(kind).map((url) => url.slice(url.lastIndexOf('.'))))

describe('the URL of a token', () => {
  it.each(['cloned-css', 'cloned-web', 'cloud-b-login', 'doc-wordproc', 'doc-spreadsheet', 'web-image'])(
    'ends as a picture does where programs show one: %s',
    (kind) => {
      expect([...endingsOf(kind)].toSorted()).toEqual(['.gif', '.jpg', '.png'])
    },
  )

  it('ends in many ways where people open it', () => {
    expect(endingsOf('http').size).toBeGreaterThan(5)
  })

  it('has one to three folders, and one where it is printed as a QR code, which then has version 6 at most', () => {
    const folders = (kind: string): number[] =>
      [...new Set(urlsOf(kind).map((url) => url.split('/').length - 5))].toSorted()
    expect([folders('http'), folders('qr-code')]).toEqual([[1, 2, 3], [1]])
    const sides = urlsOf('qr-code', 'x'.repeat(25), 'https://a-company-with-a-long-name.co.example').map(
      (url) => qrSymbol(url).length,
    )
    // 17 modules, and 4 for each version.
    expect(Math.max(...sides)).toBeLessThanOrEqual(17 + 4 * 6)
  })
})
