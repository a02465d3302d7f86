import { expect, test } from 'vitest'
import { withoutSessionCookies } from './session-cookie.ts'

const half = 'ab'.repeat(32)
const shown = (value: unknown): string => JSON.stringify(withoutSessionCookies(value))

test.each([
  ['alone', `__Host-rookery=${half}`],
  ['among others', { Cookie: `theme=dark; __Host-rookery=${half}; x=1` }],
  ['sent twice', [`__Host-rookery=${half}; __Host-rookery=${half}`]],
  ['quoted', `__Host-rookery="${half}"`],
  ['as an argument of its own', ['Cookie:', `__Host-rookery=${half}`]],
  ['as a name of its own', { cookies: { '__Host-rookery': half } }],
  ['as JSON in a text', JSON.stringify({ cookies: { '__Host-rookery': half } })],
  ['as JSON in JSON', JSON.stringify(JSON.stringify({ Cookie: `__Host-rookery=${half}` }))],
  ['as a name in JSON in JSON', JSON.stringify(JSON.stringify({ '__Host-rookery': half }))],
  ['cut', `GET / HTTP/1.1 Cookie: __Host-rookery=${half.slice(0, 20)}`],
  ['in a name', { [`__Host-rookery=${half}`]: 1 }],
])('a session cookie %s loses its value', (_, value) => {
  expect(shown(value)).not.toContain(half.slice(0, 20))
  expect(shown(value)).toContain('__Host-rookery')
})

test('what stands around it stays, and what has none is the very same', () => {
  const headers = { Host: 'a', Cookie: `a=1; __Host-rookery=${half}; b=2`, 'X-N': 'y' }
  expect(withoutSessionCookies({ headers, port: 80, body: Buffer.from('x') })).toEqual({
    headers: { Host: 'a', Cookie: 'a=1; __Host-rookery=(withheld); b=2', 'X-N': 'y' },
    port: 80,
    body: Buffer.from('x'),
  })
  const other = { Cookie: 'rookery=1', list: [null, undefined, 1, true] }
  expect(withoutSessionCookies(other)).toBe(other)
})
