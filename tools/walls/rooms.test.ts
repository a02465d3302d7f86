import { describe, expect, it } from 'vitest'
import { inspect } from './inspect.mjs'
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
