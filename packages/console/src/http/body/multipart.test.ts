import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { RawValue } from './decoder.ts'
import { multipartDecoder } from './multipart.ts'

async function encoded(form: FormData): Promise<{ type: string; body: Buffer }> {
  const response = new Response(form)
  return {
    type: response.headers.get('content-type') ?? '',
    body: Buffer.from(await response.arrayBuffer()),
  }
}

function decode(
  type: string,
  body: Buffer,
  pieces: number,
  isWanted = (): boolean => true,
): [string, RawValue][] {
  const decoder = multipartDecoder(type, isWanted)
  for (let at = 0; at < body.length; at += pieces) decoder.push(body.subarray(at, at + pieces))
  return [...decoder.end()].map(([name, value]) => [name, value])
}

it('files and texts come as they were sent; a file field left empty in a browser is empty text', async () => {
  const form = new FormData()
  form.append('memo', 'hello')
  form.append('pdf', new File([new Uint8Array([0, 255, 13, 10])], 'a.pdf', { type: 'application/pdf' }))
  form.append('doc', new File([], ''))
  const { type, body } = await encoded(form)
  expect(decode(type, body, 5)).toEqual([
    ['memo', 'hello'],
    ['pdf', { filename: 'a.pdf', contentType: 'application/pdf', bytes: new Uint8Array([0, 255, 13, 10]) }],
    ['doc', ''],
  ])
})

it('what a browser encodes is read, however the bytes are cut', async () => {
  const text = fc.string({ unit: fc.constantFrom('a', '"', '%', '\r\n', '-', '--', 'é', '🐦', ';', '\\') })
  const bytes = fc.uint8Array({ maxLength: 60 })
  const fields = fc.array(fc.tuple(text, fc.oneof(text, bytes)), { minLength: 1, maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(fields, fc.integer({ min: 1, max: 40 }), async (values, pieces) => {
      const form = new FormData()
      for (const [name, value] of values)
        form.append(name, typeof value === 'string' ? value : new File([new Uint8Array(value)], 'f.bin'))
      const { type, body } = await encoded(form)
      const read = decode(type, body, pieces)
      const wanted = await new Response(new Uint8Array(body), {
        headers: { 'content-type': type },
      }).formData()
      expect(read.map(([name]) => name)).toEqual([...wanted.keys()])
      for (const [index, value] of [...wanted.values()].entries()) {
        const got = read[index]?.[1]
        if (typeof value === 'string') expect(got).toBe(value)
        else expect(got).toMatchObject({ bytes: new Uint8Array(await value.arrayBuffer()) })
      }
    }),
  )
})

it('the value of a parameter that nobody reads is dropped', async () => {
  const form = new FormData()
  form.append('other', 'x'.repeat(100))
  const { type, body } = await encoded(form)
  expect(decode(type, body, 30, () => false)).toEqual([['other', '']])
})

it('a body that ends before its last boundary is refused', () => {
  const part = '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n'
  const read = (body: string) => () => decode('multipart/form-data; boundary=x', Buffer.from(body), 4)
  expect(read(`${part}--x--`)()).toEqual([['a', '1']])
  expect(read(`ignored\r\n${part}--x--\r\nignored`)()).toEqual([['a', '1']])
  expect(read(part)).toThrow()
  expect(read(`${part}--x`)).toThrow()
  expect(read('--x\r\n\r\n1\r\n--x--')).toThrow()
})
