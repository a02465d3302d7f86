import { expect, it } from 'vitest'
import { basicOf, bearerOf } from './authorization.ts'
import { baseUrl, endOfId, pathBehind } from './token-path.ts'

it('a base address ends with the id of the token', () => {
  const at = (url: string): string => baseUrl({ url, tokenId: 'abc' })
  expect(at('http://t.example:8081/api/v1/abc/icon.gif')).toBe('http://t.example:8081/api/v1/abc')
  expect(at('https://abc.t.example/abc/x')).toBe('https://abc.t.example/abc')
})

it('the path behind it is what a program asks for', () => {
  const behind = (path: string, id: string | undefined = 'abc'): string => pathBehind({ path }, id)
  expect(behind('/api/abc/-/whoami?write=true')).toBe('/-/whoami')
  expect(behind('/api/abc')).toBe('/')
  expect(behind('/-/whoami')).toBe('/-/whoami')
  expect(pathBehind({ path: '/api/abc/x' }, undefined)).toBe('/api/abc/x')
})

it('the id is found in every spelling that touches the token', () => {
  const id = 'a1z'
  for (const path of ['/api/A1Z/x', '/api/%611z/x', '/api/%41%31%7A/x', '/api/a%31%5a/x']) {
    expect(pathBehind({ path }, id), path).toBe('/x')
    expect(path.slice(0, endOfId(path, id))).toBe(path.slice(0, -2))
  }
  expect(endOfId('/api/a1y/x', id)).toBe(0)
})

it('credentials are read in any case of their scheme, whatever else a client sends', () => {
  const sent = (Authorization: string) => ({ headers: { Authorization } })
  const encoded = (text: string): string => Buffer.from(text).toString('base64')
  expect(bearerOf(sent('bearer x.y'))).toBe('x.y')
  expect(bearerOf(sent(`Basic ${encoded('a:b')}`))).toBeUndefined()
  expect(basicOf(sent(`BASIC ${encoded('deploy:a:b')}`))).toEqual({ username: 'deploy', password: 'a:b' })
  expect(basicOf(sent(`Basic ${encoded('deploy')}`))).toEqual({ username: 'deploy', password: '' })
  for (const header of ['', 'Basic', 'Bearer', 'Basic:'])
    expect([basicOf(sent(header)), bearerOf(sent(header))]).toEqual([undefined, undefined])
  expect(basicOf({ headers: {} })).toBeUndefined()
})
