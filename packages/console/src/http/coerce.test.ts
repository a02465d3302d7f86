import fc from 'fast-check'
import Type from 'typebox'
import { describe, expect, it, vi } from 'vitest'
import { commaList, jsonObject, lineList, upload, withDefault } from '@rookery/contract/fields.ts'
import { Fault } from '@rookery/kernel/fault.ts'
import { coerce, refuseEmptyOrUnknown } from './coerce.ts'
import type { RawValue } from './body/decoder.ts'
import type { RawParameters } from './parameters.ts'

const schema = Type.Object({
  memo: Type.String({ maxLength: 10 }),
  count: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
  on: withDefault(Type.Boolean(), true),
  color: Type.Optional(Type.Union([Type.Literal('red'), Type.Literal('blue')])),
  ids: Type.Optional(commaList),
  ips: Type.Optional(lineList),
  settings: Type.Optional(jsonObject),
  file: Type.Optional(upload),
  code: Type.Optional(Type.String({ pattern: '^[a-f]+$' })),
})

const read = (raw: RawParameters) => coerce(schema, { memo: 'm', ...raw })
function refusal(raw: RawParameters): Pick<Fault, 'message' | 'details'> {
  try {
    coerce(schema, raw)
  } catch (error) {
    if (error instanceof Fault && error.code === 'bad-input')
      return { message: error.message, details: error.details }
    throw error
  }
  throw new Error('was taken')
}
const refused = (name: string, value: RawValue): string | undefined => {
  const { message, details } = refusal({ memo: 'm', [name]: value })
  expect([message, Object.keys(details ?? {})]).toEqual([`Parameter ${name} was invalid.`, [name]])
  return details?.[name]
}

describe('a parameter', () => {
  it('that the operation does not have is left out', () => {
    expect(read({ unknown: 'x', constructor: 'y' })).toEqual({ memo: 'm', on: true })
  })

  it('that is empty counts as absent, and a required one is named', () => {
    expect(read({ count: '', on: '', color: '', settings: '' })).toEqual({ memo: 'm', on: true })
    expect(refusal({ memo: '' })).toEqual({ message: 'Empty memo', details: { memo: 'must not be empty' } })
    expect(refusal({})).toEqual({ message: 'Parameter memo is required.', details: { memo: 'is required' } })
  })

  it('that must say something is refused when it is blank, whether it is required or not', () => {
    const memo = Type.String({ maxLength: 10, pattern: '\\S' })
    const blank = { message: 'Empty memo', details: { memo: 'must not be blank' } }
    for (const given of [memo, Type.Optional(memo)])
      for (const text of [' ', '\t\r\n', '\u00a0\u3000'])
        expect(() => coerce(Type.Object({ memo: given }), { memo: text })).toThrow(
          expect.objectContaining(blank),
        )
    expect(coerce(Type.Object({ memo }), { memo: ' a ' })).toEqual({ memo: ' a ' })
  })

  it('is true or false in any case, or 1 or 0', () => {
    for (const text of ['true', 'True', 'TRUE', '1', ' true']) expect(read({ on: text }).on).toBe(true)
    for (const text of ['false', 'False', 'FALSE', '0']) expect(read({ on: text }).on).toBe(false)
    for (const text of ['yes', 'on', '2', 't rue', 'truefalse']) {
      expect(refused('on', text)).toBe(`must be true or false, not ${JSON.stringify(text)}`)
    }
  })

  it('is a whole number within its bounds, written as such', () => {
    for (const n of [0, 7, 99, 100]) expect(read({ count: String(n) }).count).toBe(n)
    expect(read({ count: ' 5 ' }).count).toBe(5)
    for (const text of ['-1', '101', '1.0', '1e1', '0x10', '5 5', '+5', 'NaN', 'Infinity', '9'.repeat(40)]) {
      expect(refused('count', text)).toMatch('must be a whole number from 0 to 100')
    }
  })

  it('is one of its choices in any case, which a refusal names', () => {
    expect(read({ color: 'blue' }).color).toBe('blue')
    expect(read({ color: 'Blue' }).color).toBe('blue')
    expect(refused('color', 'green')).toBe('must be one of red, blue, not "green"')
  })

  it('is not longer than it may be, counted in characters', () => {
    expect(read({ memo: '🦆'.repeat(10) }).memo).toBe('🦆'.repeat(10))
    expect(refused('memo', 'x'.repeat(11))).toBe('must be text of at most 10 characters, not 11')
    expect(refused('memo', '🦆'.repeat(11))).toBe('must be text of at most 10 characters, not 11')
  })

  it('that is too long for its type is neither spelt out nor converted for each choice', () => {
    const anything = fc.string({ unit: fc.constantFrom('x', '🦆', '\ud83e', '\udd86'), minLength: 11 })
    fc.assert(
      fc.property(anything, (text) => {
        expect(refused('memo', `${text}${'x'.repeat(11)}`)).toBe(
          `must be text of at most 10 characters, not ${[...text].length + 11}`,
        )
      }),
    )
    const iterate = vi.spyOn(String.prototype, Symbol.iterator as unknown as 'trim')
    const lower = vi.spyOn(String.prototype, 'toLowerCase')
    const long = 'x'.repeat(1_000_000)
    for (const name of ['memo', 'color', 'on', 'count']) refused(name, long)
    const converted = lower.mock.contexts.filter((it) => String(it).length > 1_000)
    const iterated = iterate.mock.contexts.filter((it) => String(it).length > 1_000)
    vi.restoreAllMocks()
    expect([converted, iterated]).toEqual([[], []])
  })

  it('of a strict operation may be a list of anything, and is never thrown', () => {
    const isRefused = (ids: RawValue): boolean => {
      try {
        refuseEmptyOrUnknown(schema, { ids })
        return false
      } catch (error) {
        expect(error).toBeInstanceOf(Fault)
        return true
      }
    }
    for (const empty of [[], [''], [' ', null], '', ' ']) expect(isRefused(empty)).toBe(true)
    for (const other of [['', 'a'], [{ toString: 1 }], [[]], [0]]) expect(isRefused(other)).toBe(false)
  })

  it('never holds the NUL character', () => {
    expect(refused('memo', 'a\0b')).toBe('must not contain the NUL character')
    expect(refused('ids', ['a', '\0'])).toBe('must not contain the NUL character')
  })

  it('that is a list may be a JSON array, joined as its text would be', () => {
    expect(read({ ids: ['a', 7, true] }).ids).toBe('a,7,true')
    expect(read({ ips: ['10.0.0.1', '# x'] }).ips).toBe('10.0.0.1\n# x')
    refused('ids', [{ a: 1 }])
    refused('count', ['1'])
    refused('memo', { a: 1 })
  })

  it('that is an object may be its JSON text', () => {
    expect(read({ settings: '{"a":1}' }).settings).toEqual({ a: 1 })
    expect(read({ settings: { a: 1 } }).settings).toEqual({ a: 1 })
    for (const wrong of ['[1]', '{', 'null', '7', [1]])
      expect(refused('settings', wrong)).toBe('must be a JSON object')
  })

  it('that is a file must be sent as one', () => {
    const file = { filename: 'a', contentType: '', bytes: new Uint8Array([1]) }
    expect(read({ file }).file).toBe(file)
    expect(refused('file', 'a')).toBe('must be a file, sent as multipart/form-data')
    refused('memo', file)
    refused('settings', file)
  })

  it('is checked by its schema', () => {
    expect(read({ code: 'abc' }).code).toBe('abc')
    refused('code', 'xyz')
  })

  it('every wrong one is named, the first in the message', () => {
    const { message, details } = refusal({ count: 'x', color: 'y' })
    expect(message).toBe('Parameter memo is required.')
    expect(Object.keys(details ?? {})).toEqual(['memo', 'count', 'color'])
  })

  it('of any shape is taken or refused, never thrown', () => {
    const names = fc.constantFrom(...Object.keys(schema.properties))
    const values = fc.oneof(fc.string(), fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue()))
    fc.assert(
      fc.property(fc.dictionary(names, values), (raw) => {
        try {
          coerce(schema, raw as RawParameters)
        } catch (error) {
          expect(error).toBeInstanceOf(Fault)
        }
      }),
    )
  })
})
