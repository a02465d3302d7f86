// What Debian's Samba 4.17.12 answered to several connections at a time, and ours.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { replayScene } from './replay-scene.ts'
import { otherwise, scenes, slowScenes } from './scenes.ts'

const recorded = new Map(
  readFileSync(new URL('scenes.jsonl', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { readonly name: string; readonly text: string })
    .map(({ name, text }) => [name, text]),
)
const all = Object.entries({ ...scenes, ...slowScenes })

test('each scene is recorded', () => {
  expect([...recorded.keys()]).toEqual(all.map(([name]) => name))
})

test.each(all)('%s', (name, scene) => {
  const { text, leave, locking } = replayScene(scene)
  if (otherwise[name] === undefined) expect(text).toBe(recorded.get(name))
  else expect(text, otherwise[name]).not.toBe(recorded.get(name))
  leave()
  expect(locking).toMatchObject({ opens: 0, waiting: 0 })
  expect([locking.files.size, locking.leases.size, locking.clients.size]).toEqual([0, 0, 0])
})
