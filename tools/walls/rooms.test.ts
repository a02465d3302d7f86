import { describe, expect, it } from 'vitest'
import { inspect } from './inspect.mjs'
import { inspectAll } from './inspect-all.mjs'
import { CONSOLE_ROOMS } from './table.mjs'

const source = (path: string) => `packages/console/src/${path}`

/** `line rule` of every finding. */
const found = (path: string, ...lines: string[]) =>
  inspect(source(path), `${lines.join('\n')}\n`).map(({ line, rule }) => `${line} ${rule}`)

/** A file in each room, lowest first. */
const FILES = {
  background: 'background/task.ts',
  addresses: 'addresses/ranges.ts',
  admission: 'admission/turns.ts',
  config: 'config/config.ts',
  world: 'world/world.ts',
  secrets: 'secrets/vault.ts',
  db: 'db/writer.ts',
  stores: 'stores/tokens/tables.ts',
  context: 'app-context.ts',
  notify: 'notify/queue/step.ts',
  flows: 'flows/raise/decide.ts',
  views: 'views/listing.ts',
  channels: 'channels/link/session.ts',
  http: 'http/mount.ts',
  features: 'features/tokens/paging.ts',
  composition: 'parts/http-server.ts',
}
const names = Object.keys(FILES) as (keyof typeof FILES)[]

describe('rooms of the console', () => {
  it('are those of the table', () => {
    expect(CONSOLE_ROOMS.map(({ name }) => name)).toEqual(names)
  })

  it.each(names.flatMap((here) => names.map((there) => [here, there] as const)))(
    'a file of %s imports %s only if that is not above it',
    (here, there) => {
      const depth = '../'.repeat(FILES[here].split('/').length - 1) || './'
      const isUpwards = names.indexOf(there) > names.indexOf(here)
      const expected = isUpwards ? ['1 room', '2 room', '3 room'] : []
      const lines = [
        `import { a } from '${depth}${FILES[there]}'`,
        `import type { A } from '${depth}${FILES[there]}'`,
        `const later = import('${depth}${FILES[there]}')`,
      ]
      expect(found(FILES[here], ...lines)).toEqual(expected)
    },
  )

  it('a file that lies in none is refused', () => {
    expect(found('odds.ts', '')).toEqual(['1 room'])
    expect(found('helpers/odds.ts', '')).toEqual(['1 room'])
  })

  it('do not bind tests, what is generated, and other packages', () => {
    const line = "import { a } from '../features/a/routes.ts'"
    expect(found('db/writer.test.ts', line)).toEqual([])
    expect(found('db/schema.gen.ts', line)).toEqual([])
    expect(inspect('packages/bird/src/db/a.ts', `${line}\n`)).toEqual([])
  })
})

describe('circles', () => {
  const circles = (files: Record<string, string>) =>
    inspectAll(new Map(Object.entries(files)))
      .filter(({ rule }) => rule === 'circle')
      .map(({ path, message }) => `${path} ${message}`)

  it('are refused at each of their files, with the way back, types too', () => {
    expect(
      circles({
        'packages/bird/src/a.ts': "import type { B } from './in/b.ts'",
        'packages/bird/src/in/b.ts': "import { c } from '@rookery/bird/c.ts'",
        'packages/bird/src/c.ts': "const a = import('./a.ts')",
        'packages/bird/src/d.ts': "import { a } from './a.ts'",
      }),
    ).toEqual([
      expect.stringContaining('packages/bird/src/a.ts imports itself: a.ts → in/b.ts → c.ts → a.ts;'),
      expect.stringContaining('packages/bird/src/in/b.ts imports itself: in/b.ts → c.ts → a.ts → in/b.ts;'),
      expect.stringContaining('packages/bird/src/c.ts imports itself: c.ts → a.ts → in/b.ts → c.ts;'),
    ])
  })

  it('do not lead through what is generated, or through tests', () => {
    expect(
      circles({
        'packages/bird/src/a.ts': "import { b } from './b.gen.ts'",
        'packages/bird/src/b.gen.ts': "import { a } from './a.ts'",
        'packages/bird/src/a.test.ts': "import { a } from './a.ts'\nimport './a.test.ts'",
      }),
    ).toEqual([])
  })
})
