import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { keysOf, MAX_METADATA_BYTES, readMetadata } from './metadata.ts'

const METADATA = readFileSync(new URL('./golden/provider-metadata.xml', import.meta.url), 'utf8')
const read = (text: string) => readMetadata(Buffer.from(text))

describe('metadata of an identity provider', () => {
  it('is its name, and the certificates with which it signs', () => {
    const metadata = read(METADATA)
    expect(metadata.entityId).toBe('https://idp.example/saml')
    expect(keysOf(metadata).map(({ asymmetricKeyType }) => asymmetricKeyType)).toEqual(['rsa', 'ec'])
  })

  it('is found in a list of entities', () => {
    const [, entity = ''] = /(<EntityDescriptor.*)/s.exec(METADATA) ?? []
    const list = `<EntitiesDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata"><EntityDescriptor entityID="x"/>${entity}</EntitiesDescriptor>`
    expect(read(list)).toEqual(read(METADATA))
    expect(() => read(list.replace(entity, entity + entity))).toThrow('Parameter metadata was invalid.')
  })

  it.each([
    ['', 'no element'],
    ['hello', 'no element'],
    ['<html/>', '0 entities'],
    [METADATA.replace('<EntityDescriptor', '<!DOCTYPE x><EntityDescriptor'), 'DOCTYPE'],
    [METADATA.replace('entityID=', 'id='), 'entityID'],
    [METADATA.replaceAll('IDPSSO', 'SPSSO'), '0 of them identity providers'],
    [METADATA.replaceAll(/<KeyDescriptor.*<\/KeyDescriptor>/gs, ''), 'not 0'],
    [METADATA.replaceAll('MII', 'AAA'), 'number 1 for signing is none'],
    [`${METADATA}${' '.repeat(MAX_METADATA_BYTES)}`, 'at most 524288 bytes'],
  ])('is refused with the reason: %#', (text, reason) => {
    let details: unknown
    try {
      read(text)
    } catch (error) {
      ;({ details } = error as { details: unknown })
    }
    expect(details).toEqual({ metadata: expect.stringContaining(reason) as string })
  })
})
