import Type from 'typebox'
import { expect, it } from 'vitest'
import { implement } from '@rookery/contract/implement.ts'
import { del, get, group, Nothing } from '@rookery/contract/operation.ts'
import type { Call } from './call.ts'
import { routeTable } from './route-table.ts'

const notes = group('Notes', 'Notes.', {
  read: get('/note', 'any', 'everybody', 'Read it', {}, Type.Object({}), { aliases: ['/notes'] }),
  remove: del('/note/delete', 'any', 'everybody', 'Delete it', {}, Nothing),
})
const handle = () => Promise.resolve({})
const routes = implement<typeof notes, Call>(notes, { read: handle, remove: handle })

it('finds a route by its path and aliases, that of GET by HEAD, and that of DELETE by POST', () => {
  const { find } = routeTable(routes)
  const nameOf = (method: string, path: string) => find(method, path)?.operation.title
  expect(nameOf('GET', '/note')).toBe('Read it')
  expect(nameOf('HEAD', '/notes')).toBe('Read it')
  expect(nameOf('DELETE', '/note/delete')).toBe('Delete it')
  expect(nameOf('POST', '/note/delete')).toBe('Delete it')
  expect(nameOf('POST', '/note')).toBeUndefined()
  expect(nameOf('GET', '/note/delete')).toBeUndefined()
  expect(nameOf('__proto__', 'constructor')).toBeUndefined()
})

it('refuses two operations of one method and path', () => {
  const other = implement<typeof notes, Call>(notes, { read: handle, remove: handle })
  expect(() => routeTable([...routes, ...other])).toThrow('Two operations are served at GET /note.')
})
