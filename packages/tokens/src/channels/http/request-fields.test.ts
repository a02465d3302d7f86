import { expect, it } from 'vitest'
import { requestFields } from './request-fields.ts'

const queryOf = (path: string): unknown =>
  requestFields({ channel: 'http', method: 'GET', path, headers: {}, srcHost: '192.0.2.7', dstPort: 80 })[
    'query'
  ]

it('the query is all behind the first question mark', () => {
  expect(queryOf('/a')).toBeUndefined()
  expect(queryOf('/a?')).toBe('')
  expect(queryOf('/a?b=1')).toBe('b=1')
  expect(queryOf('/a?b=1?c=2&d=?')).toBe('b=1?c=2&d=?')
})
