import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inspect } from './walls/inspect.mjs'
import { MAY_IMPORT } from './walls/table.mjs'

/** `line rule` of every finding. */
const found = (path: string, ...lines: string[]) =>
  inspect(path, `${lines.join('\n')}\n`).map(({ line, rule }) => `${line} ${rule}`)

describe('packages', () => {
  it('a package may import what its row of the table names, and nothing else', () => {
    const names = Object.keys(MAY_IMPORT)
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.constantFrom(...names), (from, to) => {
        const allowed = from === to || MAY_IMPORT[from]?.[to] !== undefined
        const line = `import { descriptors } from '@rookery/${to}/descriptors.gen.ts'`
        expect(found(`packages/${from}/src/parts/a.ts`, line)).toEqual(allowed ? [] : ['1 package'])
      }),
    )
  })

  it('the console sees descriptors of decoys, not their sessions', () => {
    const path = 'packages/console/src/parts/a.ts'
    expect(found(path, "import { descriptor } from '@rookery/decoys/services/ssh/descriptor.ts'")).toEqual([])
    expect(found(path, "import type { Session } from '@rookery/decoys/session/session.ts'")).toEqual([
      '1 package',
    ])
    expect(found(path, "const later = import('@rookery/decoys/session/session.ts')")).toEqual(['1 package'])
    expect(found(path, "export { a } from '@rookery/bird/a.ts'")).toEqual(['1 package'])
  })

  it('no path leads from one package into another', () => {
    expect(found('packages/bird/src/a/b.ts', "import { a } from '../../../link/src/a.ts'")).toEqual([
      '1 package',
    ])
    expect(found('packages/bird/src/a/b.ts', "import { a } from '../c.ts'")).toEqual([])
  })

  it('the kernel depends on TypeBox alone', () => {
    expect(
      found('packages/kernel/src/a.ts', "import Type from 'typebox'", "import fs from 'node:fs'"),
    ).toEqual(['2 package'])
  })

  it('a test may play the other side', () => {
    expect(
      found('packages/console/src/parts/a.test.ts', "import { bird } from '@rookery/bird/bird.ts'"),
    ).toEqual([])
  })

  it('a package without a row is refused', () => {
    expect(found('packages/attic/src/a.ts', "import { a } from './b.ts'")).toEqual(['1 package'])
  })
})

describe('tables', () => {
  it('that any text may look up inherit nothing', () => {
    const path = 'packages/tokens/src/a.ts'
    const table = "const A: Readonly<Record<string, string>> = { lt: '<' }"
    const others = [
      "const A = byWord<string>({ lt: '<' })",
      "const A: Readonly<Record<'lt' | 'gt', string>> = { lt: '<', gt: '>' }",
      'const A: Record<string, string> = {}',
      'function f() { const a: Record<string, number> = { b: 1 }; return a }',
    ]
    expect(found(path, table, ...others)).toEqual(['1 lookup'])
    expect(
      found(path, `export ${table.replace('Readonly<Record<string, string>>', 'Record<string, string>')}`),
    ).toEqual(['1 lookup'])
    expect(found('packages/tokens/src/a.test.ts', table)).toEqual([])
  })
})

describe('features', () => {
  it('one feature never imports another', () => {
    const path = 'packages/console/src/features/incidents/routes.ts'
    expect(found(path, "import { a } from '../flock-notes/store.ts'")).toEqual(['1 feature'])
    expect(found(path, "import { a } from './views/a.ts'", "import { b } from '../../flows/b.ts'")).toEqual(
      [],
    )
  })

  it('a descriptor loads in a browser', () => {
    const path = 'packages/decoys/src/services/ssh/descriptor.ts'
    expect(found(path, "import { a } from 'node:path'")).toEqual(['1 descriptor'])
    expect(found(path, "import { descriptor } from '../../descriptor.ts'")).toEqual([])
  })
})

describe('SQL', () => {
  const query = ["import { sql } from 'kysely'", "db.selectFrom('flock').selectAll()"]
  it('lies in stores, migrations and console/db only', () => {
    expect(found('packages/console/src/features/a/routes.ts', ...query)).toEqual(['1 sql', '2 sql'])
    for (const path of [
      'features/a/store.ts',
      'features/a/old.store.ts',
      'db/paging.ts',
      'features/a/migrations/b.ts',
    ])
      expect(found(`packages/console/src/${path}`, ...query)).toEqual([])
  })

  it('may be named by its types: they carry no query', () => {
    expect(found('packages/console/src/parts/a.ts', "import type { Kysely } from 'kysely'")).toEqual([])
    expect(found('packages/console/src/parts/a.ts', "import { type Kysely } from 'kysely'")).toEqual([])
  })

  it.each(['insertInto', 'updateTable', 'deleteFrom', 'insertMany'])('.%s( is a query', (call) => {
    expect(found('packages/console/src/parts/a.ts', `db.${call}('flock')`)).toEqual(['1 sql'])
  })
})

describe('the world', () => {
  it.each([
    'Date.now()',
    'Math.random()',
    'new Date()',
    'crypto.randomUUID()',
    'fetch(url)',
    "import { randomBytes } from 'node:crypto'",
    "import { request } from 'undici'",
    "import dns from 'node:dns/promises'",
  ])('%s stands in world files only', (line) => {
    expect(found('packages/console/src/flows/raise.ts', line)).toEqual(['1 world'])
    expect(found('packages/console/src/world/outbound.ts', line)).toEqual([])
    expect(found('packages/console/src/flows/raise.test.ts', line)).toEqual([])
  })

  it('a date made from an instant is no clock', () => {
    expect(found('packages/console/src/parts/a.ts', 'new Date(at)', 'Date.UTC(2026, 1)')).toEqual([])
  })

  it('process.env is read by config.ts only', () => {
    expect(found('packages/bird/src/host.ts', "process.env['HOME']", 'process.env.HOME')).toEqual([
      '1 environment',
      '2 environment',
    ])
    expect(found('packages/bird/src/config.ts', 'process.env.HOME')).toEqual([])
  })

  it('a codec, a session and a step of a state machine keep no time', () => {
    for (const path of [
      'packages/decoys/src/services/ftp/products/vsftpd/session.ts',
      'packages/bird/src/uplink/step.ts',
    ])
      expect(found(path, 'setTimeout(() => {}, 1)')).toEqual(['1 pure'])
    expect(found('packages/decoys/src/host/tcp.ts', 'setTimeout(() => {}, 1)')).toEqual([])
  })
})

describe('every file', () => {
  it('is no barrel', () => {
    expect(found('packages/link/src/a.ts', "export * from './b.ts'", "export { c } from './c.ts'")).toEqual([
      '1 barrel',
    ])
  })

  it('spreads no object for layout alone, and throws no result away', () => {
    const rules = (line: string) =>
      inspect('packages/console/src/flows/a.ts', `${line}\n`).map(({ rule }) => rule)
    expect(rules('export const a = { ...{ b: 1, c: 2 }, ...d }')).toEqual(['layout'])
    expect(rules('export const a = (b: string) => void c.push(b)')).toEqual(['layout'])
    expect(rules('export const a = { ...(b && { b }), c: () => void begin() }')).toEqual([])
  })

  it('names nothing outside the repository', () => {
    const line = `see ../${'shared'}/notes`
    expect(found('docs/a.md', line)).toEqual(['1 outside'])
    expect(found('packages/link/src/a.ts', `// ${line}`)).toEqual(['1 outside'])
  })
})

it('a finding says what would be right', () => {
  const [finding] = inspect('packages/bird/src/host.ts', '\nconst now = Date.now()\n')
  expect(finding).toEqual({
    path: 'packages/bird/src/host.ts',
    line: 2,
    rule: 'world',
    message: 'uses Date.now; ask the World: clock.now()',
  })
})
