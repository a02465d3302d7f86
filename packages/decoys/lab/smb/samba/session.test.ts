// What Debian's Samba 4.17.12 answered to the corpus, and ours.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { COMMAND } from '../../../src/services/smb/protocol/codec/header.ts'
import { zeros } from '../../../src/windows/fields.ts'
import { initToken, negotiateToken } from '../../windows/ntlm-client.ts'
import { ioctlBody, setupBody } from './bodies.ts'
import { act, connectTo, create, GUEST, login, negotiate, type Act } from './client.ts'
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

const session = (...dialects: number[]) => [negotiate({ dialects }), ...login(GUEST), connectTo('Documents')]
const lastOf = (script: readonly Act[]) => replaySamba(script).text.trimEnd().split('\n').at(-1)

test('a folder that is temporary is not opened, and interfaces are reported in every dialect', () => {
  const temporary = create('sales', { options: 1, attributes: 0x100 })
  expect(lastOf([...session(0x311), temporary])).toMatch(/^create c000000d /)
  const interfaces = act('ioctl', COMMAND.ioctl, () => ioctlBody(0x1401fc, Buffer.alloc(16, 0xff), zeros(0)))
  expect(lastOf([...session(0x202), interfaces])).toMatch(/^ioctl 0 /)
})

test.each([
  ['an empty token', zeros(0), /^setup 0 /],
  ['a token', initToken(negotiateToken()), /^setup c0000203 /],
])('behind %s another security mode is its own', (_, token, expected) => {
  const first = act('setup', COMMAND.sessionSetup, () => setupBody(token, 0, 2))
  expect(lastOf([negotiate({ dialects: [0x302] }), first, ...login(GUEST)])).toMatch(expected)
})
