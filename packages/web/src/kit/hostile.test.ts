// Compiled with the page (`npx tsc -p packages/web`): a line below that compiles without its error is an error itself.
import { createElement, type HTMLAttributes } from 'react'
import { expect, it } from 'vitest'
import type { Row } from '../features/incidents/apply.ts'
import { plainEvidence } from './evidence.tsx'
import { addressOf, hostile, isEmpty, joined } from './hostile.ts'

it('what an intruder wrote fits neither into markup nor into an attribute', () => {
  const row = { src_host: hostile('192.0.2.1'), evidence: [] } as Partial<Row> as Row
  // @ts-expect-error: as text
  const text = createElement('p', {}, row.src_host)
  // @ts-expect-error: as an attribute
  const { title }: HTMLAttributes<HTMLElement> = { title: row.place }
  // @ts-expect-error: as a string to build another one of
  const name: string = row.src_name
  expect([text.type, title, name]).toEqual(['p', undefined, undefined])
})

it('an address alone is no text of an intruder', () => {
  expect(addressOf(hostile('2001:db8::1'))).toBe('2001:db8::1')
  expect(addressOf(hostile('192.0.2.1<b>'))).toBeUndefined()
  expect(isEmpty(joined([]))).toBe(true)
  expect(plainEvidence(joined([hostile('a\u202e'), hostile('b')]))).toBe('aU+202E / b')
})
