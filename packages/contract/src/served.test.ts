import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { groups } from './groups.gen.ts'
import type { Group, Operation } from './operation.ts'

const linesOf = (file: string): string[] =>
  readFileSync(new URL(file, import.meta.url), 'utf8')
    .split('\n')
    .filter(Boolean)

const specified = linesOf('./operations.tsv')
  .slice(1)
  .map((line) => line.split('\t'))
  .map(([, method = '', path = '', flags = '']) => ({
    name: `${method} ${path}`,
    deprecated: flags === 'deprecated',
  }))

const everyGroup: Readonly<Record<string, Group>> = groups
const served = new Map<string, Operation>()
for (const operation of Object.values(everyGroup).flatMap((group) => Object.values(group))) {
  served.set(`${operation.method} /api/v1${operation.path}`, operation)
}

describe('the contract', () => {
  it('every operation of the specification is served', () => {
    expect(specified.map(({ name }) => name).filter((name) => !served.has(name))).toEqual([])
  })

  it('marks as deprecated what the specification does', () => {
    const marked = specified.filter(({ name }) => served.has(name))
    expect(marked.filter(({ deprecated }) => deprecated).map(({ name }) => name)).toEqual(
      marked.map(({ name }) => name).filter((name) => served.get(name)?.deprecated),
    )
  })

  it('gives every operation a method and path of its own', () => {
    const all = Object.values(everyGroup).flatMap((group) =>
      Object.values(group).flatMap(({ method, path, aliases }) =>
        [path, ...aliases].flatMap((spelling) =>
          // DELETE paths take POST, too.
          (method === 'DELETE' ? ['DELETE', 'POST'] : [method]).map((verb) => `${verb} ${spelling}`),
        ),
      ),
    )
    expect(all.filter((it, at) => all.indexOf(it) !== at)).toEqual([])
  })
})
