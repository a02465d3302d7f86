// What Debian's Samba 4.17.12 answered about privileges and rights, and ours.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { privilegeScripts } from './privilege-acts.ts'
import { replaySamba } from './replay.ts'

const recorded = readFileSync(new URL('privileges.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as { readonly text: string; readonly close: string })

test('each question has an answer', () => {
  expect(recorded.length).toBeGreaterThan(200)
  expect(recorded).toHaveLength(privilegeScripts.length)
})

test.each(
  privilegeScripts.map(
    (script, i) =>
      [
        script
          .slice(5)
          .map(({ name }) => name)
          .join(' | '),
        script,
        recorded[i]!,
      ] as const,
  ),
)('%s', (_, script, { text, close }) => {
  const ours = replaySamba(script)
  expect(ours.text).toBe(text)
  expect(ours.close).toBe(close)
})

test('who asks which accounts have rights is an event 5013', () => {
  const asking = privilegeScripts.find((script) => script.at(-1)?.name === 'chain 11 accounts from 0 4096')
  const { events } = replaySamba(asking ?? [])
  expect(events).toMatchObject([
    {},
    {},
    { logtype: '5013', fields: { AUDITACTION: 'LsarEnumerateAccounts', STATUS: 'STATUS_SUCCESS' } },
  ])
})
