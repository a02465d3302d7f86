import { expect, it } from 'vitest'
import { groups } from '@rookery/contract/groups.gen.ts'
import type { Group } from '@rookery/contract/operation.ts'
import { JSON_BYTES } from '../request-limits.ts'
import { mostBytes } from './most-bytes.ts'

const operations = Object.values(groups as Readonly<Record<string, Group>>).flatMap((it) => Object.values(it))

it('a JSON body is no longer than long texts are, but for the one operation that takes a longer text', () => {
  const longer = operations.flatMap((operation) => {
    const { bytes } = mostBytes(operation, 'application/json; charset=utf-8')
    expect(bytes).toBeLessThanOrEqual(operation.maxBodyBytes)
    return bytes > JSON_BYTES.max ? [[operation.path, bytes]] : []
  })
  expect(longer).toEqual([['/decoytokens/create', 16 * 1024 * 1024]])
})

it('a body of another type is as long as its operation takes', () => {
  for (const operation of operations) {
    for (const type of ['multipart/form-data; boundary=x', 'application/x-www-form-urlencoded', undefined])
      expect(mostBytes(operation, type)).toEqual({ bytes: operation.maxBodyBytes, advice: '' })
  }
})
