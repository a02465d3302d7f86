import { kinds } from '@rookery/tokens/kinds.gen.ts'
import { describe, expect, it } from 'vitest'
import { systemRandom } from '../../world/system.ts'
import { newAddress } from './address.ts'

const origin = {
  ...{ url: 'http://t.example', httpsUrl: undefined, domain: 't.example' },
  ...{ mysql: '', postgres: '' },
}
const endingsOf = (kind: string): Set<string> => {
  const descriptor = kinds[kind]?.descriptor
  if (!descriptor) throw new Error(`There is no kind ${kind}.`)
  const urls = Array.from({ length: 200 }, () => newAddress('id', origin, systemRandom, descriptor).url)
  return new Set(urls.map((url) => url.slice(url.lastIndexOf('.'))))
}

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
})
