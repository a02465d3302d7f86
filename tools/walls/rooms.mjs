// The rooms of the console's source: each may import itself and those below it, types too.
import { posix } from 'node:path'
import { CONSOLE_ROOMS } from './table.mjs'

const SOURCE = 'packages/console/src/'

/**
 * The room of a file of the console's source, as its place in the table; -1 for none.
 * @param {string} path
 */
const roomOf = (path) => CONSOLE_ROOMS.findIndex(({ files }) => files.test(path.slice(SOURCE.length)))

/** @param {number} room */
const nameOf = (room) => CONSOLE_ROOMS[room]?.name ?? ''

/** Tests stand outside: they may import any room. @param {string} path */
export const hasRoom = (path) =>
  path.startsWith(SOURCE) && path.endsWith('.ts') && !/\.(test|gen)\.ts$/.test(path)

/**
 * What is wrong with where the file lies; undefined for nothing.
 * @param {string} path
 */
export function checkPlace(path) {
  if (!hasRoom(path) || roomOf(path) >= 0) return undefined
  return `lies in no room of the console; put it into one of ${CONSOLE_ROOMS.map(({ name }) => name).join(', ')} (tools/walls/table.mjs)`
}

/**
 * What is wrong with importing `target`; undefined for nothing.
 * @param {string} path
 * @param {string} from the module as it is named
 */
export function checkRoom(path, from) {
  if (!hasRoom(path) || !from.startsWith('.')) return undefined
  const target = posix.join(posix.dirname(path), from)
  const [here, there] = [roomOf(path), roomOf(target)]
  if (here < 0 || there < 0 || !target.startsWith(SOURCE) || there <= here) return undefined
  return `room ${nameOf(here)} imports ${target.slice(SOURCE.length)} of ${nameOf(there)}, which stands above it; move what both need below them`
}
