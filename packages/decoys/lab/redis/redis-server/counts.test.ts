import { expect, test } from 'vitest'
import { replay } from '../../../test/replay.ts'
import { testContext } from '../../../test/session-context.ts'
import recorded from './counts.json' with { type: 'json' }
import { redisSession } from '../../../src/services/redis/products/redis-server/session.ts'

/** What redis-server 7.0.15 said, with an empty data set before: changes, hits, misses, and errors by their code. */
const figures: Readonly<Record<string, string>> = recorded

test.for(Object.entries(figures))('INFO counts `%s` as Redis does', ([commands, wanted]) => {
  const lines = ['FLUSHALL', 'CONFIG RESETSTAT', 'SAVE', ...commands.split(' ; '), 'INFO everything']
  const send = [lines.map((line) => `${line}\r\n`).join('')]
  const { text } = replay({ name: '', send }, redisSession(), testContext())
  const field = (name: string): string => RegExp(`^${name}:(.*)\r$`, 'm').exec(text)![1]!
  const errors = [...text.matchAll(/^errorstat_(.*):count=(\d+)\r$/gm)].map(([, code, n]) => `${code}=${n}`)
  const found = [
    ...['rdb_changes_since_last_save', 'keyspace_hits', 'keyspace_misses'].map(field),
    errors.sort().join(' ') || '-',
  ]
  expect(found.join(' ')).toBe(wanted)
})
