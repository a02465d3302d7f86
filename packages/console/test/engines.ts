// The engines that a file's tests run on: both; in the short form one for each file, unless it is about queries themselves.
import { isShort } from '@rookery/kernel/test/size.ts'
import type { EngineName } from '../src/db/query.ts'

const BOTH: readonly EngineName[] = ['sqlite', 'postgres']
/** Where queries stand, by the walls. */
const OF_QUERIES = /\/console\/src\/(db|stores)\//

export let engines = BOTH

/** Half of the files have SQLite and half PostgreSQL, each file always the same. */
function enginesFor(path: string): readonly EngineName[] {
  if (!isShort || OF_QUERIES.test(path)) return BOTH
  const inClone = path.slice(path.lastIndexOf('/packages/'))
  const sum = [...inClone].reduce((total, character) => total + (character.codePointAt(0) ?? 0), 0)
  return BOTH.filter((_, at) => at === sum % BOTH.length)
}

/** A worker keeps its modules from file to file: `tools/file-begins.ts` says which one begins. */
export const chooseEngines = (path: string): void => void (engines = enginesFor(path))
