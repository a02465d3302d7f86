import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { Fault } from '@rookery/kernel/fault.ts'
import type { RawValue } from './decoder.ts'
import { mergeParameters } from '../parameters.ts'
import { bodyDecoder } from './decode.ts'

const FORM = 'application/x-www-form-urlencoded'
const JSON_TYPE = 'application/json'

/** Decodes a body that arrives in pieces of so many bytes. */
function decode(type: string | undefined, body: string | Buffer, pieces = 7): [string, RawValue][] {
  const decoder = bodyDecoder(type, () => true)
  const bytes = Buffer.from(body)
  for (let at = 0; at < bytes.length; at += pieces) decoder.push(bytes.subarray(at, at + pieces))
  return [...decoder.end()].map(([name, value]) => [name, value])
}

/** What `find` answers when only the beginning has arrived. */
function findIn(type: string, beginning: string, name = 'auth_token', hasEnded = false): string | undefined {
  const decoder = bodyDecoder(type, () => true)
  decoder.push(Buffer.from(beginning))
  return decoder.find([name], hasEnded).get(name)
}

function faultOf(work: () => unknown): Fault {
  try {
    work()
  } catch (error) {
    if (error instanceof Fault) return error
    throw error
  }
  throw new Error('it was read')
}

describe('the body of a request', () => {
  it('as a form of any value comes unharmed', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ minLength: 1 }), fc.string({ unit: 'grapheme' }), { minKeys: 1 }),
        fc.integer({ min: 1, max: 9 }),
        (values, pieces) => {
          const form = new URLSearchParams(Object.entries(values)).toString()
          const wanted = [...new URLSearchParams(form)]
          expect(decode(FORM, form, pieces)).toEqual(wanted)
          expect(decode(undefined, form, pieces)).toEqual(wanted)
        },
      ),
    )
  })

  it('as JSON has texts, lists and objects; numbers and booleans count as their text, null as the empty text', () => {
    const body = '{"n":7,"t":true,"l":["a","b"],"o":{"k":1},"z":null,"__proto__":"p","constructor":"c"}'
    expect(decode('Application/JSON; charset=utf-8', body)).toEqual([
      ['n', '7'],
      ['t', 'true'],
      ['l', ['a', 'b']],
      ['o', { k: 1 }],
      ['z', ''],
      ['__proto__', 'p'],
      ['constructor', 'c'],
    ])
  })

  it('as JSON has each member of a name that comes twice, in their order, as a form has', () => {
    const name = fc.constantFrom('a', '\\u0061', 'b', '__proto__', '7')
    const blank = fc.constantFrom('', ' ', '\r\n\t')
    fc.assert(
      fc.property(fc.array(fc.tuple(name, fc.jsonValue(), blank), { minLength: 1 }), (members) => {
        const pairs = members.map(
          ([name, value, blank]) => `${blank}"${name}"${blank}:${blank}${JSON.stringify(value)}${blank}`,
        )
        const first = new Map<string, unknown>()
        for (const [name, value] of members) {
          const spelt = JSON.parse(`"${name}"`) as string
          if (!first.has(spelt)) first.set(spelt, JSON.parse(JSON.stringify(value)))
        }
        const merged = mergeParameters(decode(JSON_TYPE, `{${pairs.join(',')}}\n`, 50))
        const wanted = [...first].map(([name, value]) => [
          name,
          typeof value === 'number' || typeof value === 'boolean' ? String(value) : (value ?? ''),
        ])
        expect(new Map(Object.entries(merged))).toEqual(new Map(wanted as [string, unknown][]))
      }),
    )
  })

  it('that cannot be read says why', () => {
    for (const [type, body, code] of [
      [JSON_TYPE, '{"a":', 'bad-input'],
      [JSON_TYPE, '[1]', 'bad-input'],
      [JSON_TYPE, '"text"', 'bad-input'],
      [JSON_TYPE, 'null', 'bad-input'],
      ['multipart/form-data', 'x', 'bad-input'],
      ['multipart/form-data; boundary=abc', 'no boundary in here', 'bad-input'],
      ['text/plain', 'a=1', 'unsupported-media-type'],
      ['application/xml', '<a/>', 'unsupported-media-type'],
    ] as const) {
      expect(faultOf(() => decode(type, body)).code).toBe(code)
    }
  })

  it('of garbage is refused with a fault, whatever its type', () => {
    const types = fc.constantFrom(FORM, JSON_TYPE, 'multipart/form-data; boundary=x', 'a/b', '', ';;')
    const garbage = fc.oneof(
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
      fc
        .array(fc.constantFrom('--x', '\r\n', '{', '"', ':', '\\', '[', '&', '=', 'name="a"', '--'), {
          maxLength: 40,
        })
        .map((words) => Buffer.from(words.join(''))),
    )
    fc.assert(
      fc.property(types, garbage, fc.integer({ min: 1, max: 9 }), (type, bytes, pieces) => {
        try {
          decode(type, bytes, pieces)
        } catch (error) {
          expect(error).toBeInstanceOf(Fault)
        }
      }),
    )
  })
})

describe('a bomb is refused before it is parsed', () => {
  it('of more than 1,000 pairs, members of one object, or parts', () => {
    const names = Array.from({ length: 1_001 }, (_, n) => `n${n}`)
    const part = (name: string): string => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n\r\n`
    const bodies: [string, string][] = [
      [FORM, names.join('&')],
      [JSON_TYPE, JSON.stringify(Object.fromEntries(names.map((name) => [name, 1])))],
      [JSON_TYPE, JSON.stringify({ deep: [Object.fromEntries(names.map((name) => [name, 1]))] })],
      ['multipart/form-data; boundary=x', `${names.map(part).join('')}--x--`],
    ]
    for (const [type, body] of bodies) {
      expect(faultOf(() => decode(type, body, 10_000)).details?.['body']).toMatch(/more than 1000/)
    }
  })

  it('of deep nesting', () => {
    const fault = faultOf(() => decode(JSON_TYPE, `{"a":${'['.repeat(100)}`))
    expect(fault.details).toEqual({ body: 'is nested more than 64 levels deep' })
  })

  it('of header lines in a part: no more than 8 KiB of them is looked at', () => {
    const decoder = bodyDecoder('multipart/form-data; boundary=x', () => true)
    decoder.push(Buffer.from('--x\r\n'))
    const lines = Buffer.from('a:\r\n'.repeat(1_000))
    decoder.push(lines)
    decoder.push(lines)
    const fault = faultOf(() => decoder.push(lines))
    expect([fault.code, fault.details]).toEqual([
      'bad-input',
      { body: 'has a part whose header is longer than 8192 bytes' },
    ])
  })

  it('of more values than the longest list has', () => {
    const most = Array.from({ length: 131_072 }, () => '1.1.1.1')
    expect(decode(JSON_TYPE, JSON.stringify({ ips: most }), 500_000)).toEqual([['ips', most]])
    for (const unit of ['{}', '[]', '0', '{"a":0}']) {
      const parse = vi.spyOn(JSON, 'parse')
      const body = `{"memo":[${Array.from({ length: 150_001 }, () => unit).join(',')}]}`
      const { code, details } = faultOf(() => decode(JSON_TYPE, body, 500_000))
      expect([code, details]).toEqual(['bad-input', { body: 'has more than 150000 values' }])
      expect(parse).not.toHaveBeenCalled()
      parse.mockRestore()
    }
  })

  it('but a list of a thousand objects is none', () => {
    const items = Array.from({ length: 5_000 }, (_, n) => ({ name: `file ${n}`, type: 'file' }))
    expect(decode(JSON_TYPE, JSON.stringify({ items }), 50_000)).toEqual([['items', items]])
  })
})

describe('a key', () => {
  it('is found at the beginning of a body that has not arrived whole', () => {
    expect(findIn(FORM, 'a=1&auth_token=k%6Ey&b=22')).toBe('kny')
    expect(
      findIn(
        JSON_TYPE,
        '{"a":{"auth_token":"inner"},"b":["auth_token","x"],"auth_token" : "k\\u006ey","z":[',
      ),
    ).toBe('kny')
    const part = (name: string, value: string): string =>
      `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
    expect(findIn('multipart/form-data; boundary=x', part('auth_token', 'kny') + part('b', '2'))).toBe('kny')
  })

  it('is not found while it is still arriving', () => {
    expect(findIn(FORM, 'a=1&auth_token=kn')).toBeUndefined()
    expect(findIn(JSON_TYPE, '{"auth_token":"kn')).toBeUndefined()
    expect(findIn(JSON_TYPE, '{"x":"auth_token","y":"kny"}')).toBeUndefined()
    const header = '--x\r\nContent-Disposition: form-data; name="auth_token"\r\n\r\n'
    expect(findIn('multipart/form-data; boundary=x', `${header}kn`)).toBeUndefined()
  })
})
