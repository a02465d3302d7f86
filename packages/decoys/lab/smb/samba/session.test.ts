// What Debian's Samba 4.17.12 answered to the corpus, and ours.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { drawnScripts } from './drawn-scripts.ts'
import { replaySamba } from './replay.ts'

interface Recorded {
  readonly text: string
  readonly close: string
}

const recorded = readFileSync(new URL('answers.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Recorded)
const corpus = drawnScripts()

test('the corpus has more than 300 scripts, and an answer to each', () => {
  expect(corpus.length).toBeGreaterThan(300)
  expect(recorded).toHaveLength(corpus.length)
})

test.each(
  corpus.map((script, i) => [script.map(({ name }) => name).join(' | '), script, recorded[i]!] as const),
)('%s', (_, script, { text, close }) => {
  const ours = replaySamba(script)
  expect(ours.text).toBe(text)
  expect(ours.close).toBe(close)
})
