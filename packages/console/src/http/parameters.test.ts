import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mergeParameters, type Merged } from './parameters.ts'

const merge = (query: string, contentType?: string, body?: string): Promise<Merged> =>
  mergeParameters({ query, contentType, body: body === undefined ? undefined : Buffer.from(body) })
const FORM = 'application/x-www-form-urlencoded'

describe('the parameters of a request', () => {
  it('the query wins over the body, and of duplicates the first', async () => {
    expect((await merge('a=1&a=2&b=3', FORM, 'a=4&c=5&c=6')).raw).toEqual({ a: '1', b: '3', c: '5' })
    expect((await merge('a=1', 'application/json', '{"a":"2","b":"3"}')).raw).toEqual({ a: '1', b: '3' })
  })

  it('come in a form of any value unharmed', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.string({ minLength: 1 }), fc.string({ unit: 'grapheme' })),
        async (values) => {
          const form = new URLSearchParams(Object.entries(values)).toString()
          const wanted = Object.fromEntries(new URLSearchParams(form))
          expect({ ...(await merge(form)).raw }).toEqual(wanted)
          expect({ ...(await merge('', FORM, form)).raw }).toEqual(wanted)
          expect({ ...(await merge('', undefined, form)).raw }).toEqual(wanted)
        },
      ),
    )
  })

  it('of JSON are texts, lists and objects; numbers and booleans count as their text, null as the empty text', async () => {
    const body = '{"n":7,"t":true,"l":["a","b"],"o":{"k":1},"z":null,"__proto__":"p","constructor":"c"}'
    const { raw } = await merge('', 'Application/JSON; charset=utf-8', body)
    expect(Object.entries(raw)).toEqual([
      ['n', '7'],
      ['t', 'true'],
      ['l', ['a', 'b']],
      ['o', { k: 1 }],
      ['z', ''],
      ['__proto__', 'p'],
      ['constructor', 'c'],
    ])
  })

  it('an empty body is no error, whatever type it claims', async () => {
    for (const type of ['application/json', 'multipart/form-data', 'text/plain', undefined]) {
      expect(await merge('a=1', type, '')).toEqual({ raw: { a: '1' } })
    }
  })

  it('files come by multipart; a field left empty in a browser is absent', async () => {
    const form = new FormData()
    form.append('memo', 'hello')
    form.append('memo', 'again')
    form.append('pdf', new File([new Uint8Array([0, 255, 13, 10])], 'a.pdf', { type: 'application/pdf' }))
    form.append('doc', new File([], ''))
    const response = new Response(form)
    const { raw } = await mergeParameters({
      query: '',
      contentType: response.headers.get('content-type') ?? '',
      body: Buffer.from(await response.arrayBuffer()),
    })
    expect({ ...raw }).toEqual({
      memo: 'hello',
      // Empty text: absent.
      doc: '',
      pdf: { filename: 'a.pdf', contentType: 'application/pdf', bytes: new Uint8Array([0, 255, 13, 10]) },
    })
  })

  it('a body that cannot be read is reported, and the query is used', async () => {
    for (const [type, body, code] of [
      ['application/json', '{"a":', 'bad-input'],
      ['application/json', '[1]', 'bad-input'],
      ['application/json', '"text"', 'bad-input'],
      ['application/json', 'null', 'bad-input'],
      ['multipart/form-data', 'x', 'bad-input'],
      ['multipart/form-data; boundary=abc', 'no boundary in here', 'bad-input'],
      ['text/plain', 'a=1', 'unsupported-media-type'],
      ['application/xml', '<a/>', 'unsupported-media-type'],
    ] as const) {
      const { raw, unreadable } = await merge('auth_token=x', type, body)
      expect([raw['auth_token'], unreadable?.code]).toEqual(['x', code])
    }
  })

  it('garbage of any type is reported, never thrown', async () => {
    const types = fc.constantFrom(
      FORM,
      'application/json',
      'multipart/form-data; boundary=x',
      'a/b',
      '',
      ';;',
    )
    await fc.assert(
      fc.asyncProperty(
        fc.string(),
        types,
        fc.uint8Array({ maxLength: 200 }),
        async (query, contentType, bytes) => {
          const { raw } = await mergeParameters({ query, contentType, body: Buffer.from(bytes) })
          expect(typeof raw).toBe('object')
        },
      ),
    )
  })
})
