// How scenes begin: connections of one, two or three clients, and the files that they meet at.
import { enter, type Entry } from './scene-acts.ts'
import type { Turn } from './scene.ts'

export const F = 'readme.txt'
export const G = 'Sales\\Contacts.csv'
export const ATTRIBUTES = 0x80
export const READ_CONTROL = 0x20000
export const [WAITING, AT_ONCE, UNLOCK] = [2, 0x12, 4]

let clients = 0
const guid = (): Buffer => Buffer.alloc(16, `scene ${(clients += 1)} `)
export const one = (opening: Entry = {}): Turn[] => enter('a', { guid: guid(), ...opening })
export const two = (opening: Entry = {}): Turn[] => [
  ...one(opening),
  ...enter('b', { guid: guid(), ...opening }),
]
export const three = (): Turn[] => [...two(), ...enter('c', { guid: guid() })]
/** Two connections of one client. */
export const twins = (opening: Entry = {}): Turn[] => {
  const same = { guid: guid(), ...opening }
  return [...enter('a', same), ...enter('b', same)]
}
