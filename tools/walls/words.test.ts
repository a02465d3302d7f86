import { describe, expect, it } from 'vitest'
import { inspect } from './inspect.mjs'
import { BANNED_WORDS } from './words.data.mjs'

/** `line rule` of every finding. */
const found = (path: string, ...lines: string[]) =>
  inspect(path, `${lines.join('\n')}\n`).map(({ line, rule }) => `${line} ${rule}`)

describe('banned words', () => {
  it.each(['whoever', 'told', 'Beside', 'stumbled', 'kick', 'kicked', 'HURRY'])('%s is refused', (word) => {
    expect(found('docs/a.md', `One ${word}, two`)).toEqual(['1 word'])
    expect(found('packages/bird/src/a.ts', `// one ${word}`, `const a = '${word}'`)).toEqual([
      '1 word',
      '2 word',
    ])
    expect(found('packages/bird/src/a.test.ts', `it('${word}', () => {})`)).toEqual(['1 word'])
  })

  it('are found within names', () => {
    expect(found('tools/a.ts', 'const isTold = toldBirds(TOLD_AT, kick_off)')).toEqual(
      Array(4).fill('1 word'),
    )
  })

  it('are those of limits, too', () => {
    expect(
      found('tools/a.ts', 'const MOST_LINES = 400', 'const MAX_LINES = 400', 'const almostAll = 1'),
    ).toEqual(['1 word'])
  })

  it('are whole words', () => {
    expect(found('docs/a.md', 'besides, a kickback was retold to the sidekick in untold numbers')).toEqual([])
  })

  it('may stand in what others wrote, in what is generated and in data', () => {
    const paths = [
      'LICENSE',
      'docs/reference/a.md',
      'packages/decoys/src/golden/a.txt',
      'packages/link/src/a.data.ts',
    ]
    for (const path of paths) expect(found(path, 'told')).toEqual([])
  })

  it('each says what to write instead', () => {
    const [finding] = inspect('docs/a.md', 'kick\n')
    expect(finding?.message).toBe('says "kick"; wake, notify or start')
    for (const { instead } of BANNED_WORDS) expect(instead).not.toBe('')
  })
})

it('a type is named by a noun, not by what something is doing', () => {
  const path = 'packages/bird/src/a.ts'
  expect(found(path, 'interface Sending {}', 'export type LinkServing = object')).toEqual([
    '1 word',
    '2 word',
  ])
  expect(found(path, 'interface SendDeps {}', 'type Setting = 1', 'interface HostKeyRing {}')).toEqual([])
})
