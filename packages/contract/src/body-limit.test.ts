import Type from 'typebox'
import { expect, it } from 'vitest'
import { BODY_LIMITS, maxBodyBytes } from './body-limit.ts'
import { groups } from './groups.gen.ts'

const limitOf = (properties: Parameters<typeof Type.Object>[0]): number =>
  maxBodyBytes(Type.Object(properties))

it('a body of ids and switches may be 64 KiB long, one of long or unbounded texts 4 MiB, one with a file 32 MiB', () => {
  const id = Type.String({ maxLength: 64 })
  expect(limitOf({})).toBe(BODY_LIMITS.small)
  expect(limitOf({ id, enabled: Type.Boolean(), count: Type.Integer() })).toBe(BODY_LIMITS.small)
  expect(limitOf({ id, list: Type.String({ maxLength: 1_048_576 }) })).toBe(BODY_LIMITS.texts)
  expect(limitOf({ text: Type.String() })).toBe(BODY_LIMITS.texts)
  expect(limitOf({ settings: Type.Unsafe<object>({ type: 'object' }) })).toBe(BODY_LIMITS.texts)
  expect(limitOf({ id, file: Type.Unsafe<object>({ type: 'string', format: 'binary' }) })).toBe(
    BODY_LIMITS.files,
  )
  expect(limitOf({ csv: Type.String({ maxLength: 8_388_608 }) })).toBe(BODY_LIMITS.files)
})

it('every text that an operation accepts fits into its body, as a form of the widest characters', () => {
  for (const operation of Object.values(groups).flatMap((group) => Object.values(group))) {
    const longest = Object.values(operation.params.properties).reduce<number>((sum, property) => {
      const { type, maxLength } = property as { type?: string; maxLength?: number }
      return sum + (type === 'string' && maxLength !== undefined && maxLength <= 100_000 ? maxLength : 0)
    }, 0)
    const form = new URLSearchParams({ text: '🐦'.repeat(longest) }).toString()
    expect(form.length, operation.path).toBeLessThanOrEqual(operation.maxBodyBytes)
  }
})
