import { expect, it } from 'vitest'
import { inspect } from './inspect.mjs'

const SERVICE = 'packages/decoys/src/services/vnc'
const found = (path: string, from: string) =>
  inspect(path, `import { a } from '${from}'\n`).map(({ rule }) => rule)

it('what is shipped needs neither lab nor test', () => {
  expect(found(`${SERVICE}/service.ts`, '../../../lab/vnc/client.ts')).toEqual(['product'])
  expect(found('packages/bird/src/start.ts', '@rookery/decoys/lab/vnc/client.ts')).toEqual(['product'])
  expect(found('packages/bird/src/start.ts', '@rookery/bird/test/world.ts')).toEqual(['product'])
  expect(found(`${SERVICE}/service.test.ts`, '../../../lab/vnc/client.ts')).toEqual([])
  expect(found('packages/decoys/lab/vnc/client.ts', '../../test/draw.ts')).toEqual([])
})

it('a product imports its protocol, and no other product', () => {
  const path = `${SERVICE}/products/tightvnc/session.ts`
  expect(found(path, '../../protocol/codec.ts')).toEqual([])
  expect(found(path, './attempts.ts')).toEqual([])
  expect(found(path, '../tigervnc/session.ts')).toEqual(['product'])
  expect(found(path, '../../../ssh/products/openssh/version.ts')).toEqual(['product'])
})

it('a protocol knows no product; the service does', () => {
  expect(found(`${SERVICE}/protocol/codec.ts`, '../products/tightvnc/session.ts')).toEqual(['product'])
  expect(found(`${SERVICE}/service.ts`, './products/tightvnc/session.ts')).toEqual([])
})
