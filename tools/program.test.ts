import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from './clone.mjs'
import { loadedBy } from './loaded-by.ts'
import { buildProgram } from '@rookery/cli/program.ts'

const namesOf = async (name?: string): Promise<readonly string[]> =>
  (await buildProgram(name)).commands.map((command) => command.name())

describe('the program', () => {
  it('loads the command alone that is asked for, under the name that the command has', async () => {
    const all = await namesOf()
    expect(all.length).toBeGreaterThan(10)
    for (const name of all) expect(await namesOf(name)).toEqual([name])
  })

  it.each(['', '--help', 'help', 'brid', '__proto__'])(
    'knows every command where %j is none',
    async (name) => {
      expect(await namesOf(name)).toEqual(await namesOf())
    },
  )

  const PACKAGES = ['ipaddr.js', 'koffi', 'typebox', 'typebox/compile', 'ws']
  it.each([
    ['bird', ['commander', 'pino', ...PACKAGES]],
    ['local-bird', PACKAGES],
  ])('holds no console, no database and few packages in the process of %s', (command, packages) => {
    const loaded = [...loadedBy(join(root, `packages/cli/src/commands/${command}.ts`))]
    expect(loaded.some((path) => path.endsWith('bird/src/run-bird.ts'))).toBe(true)
    const foreign = /console\/src\/(build|open-context)\.ts$|console\/src\/(stores|features|flows)\//
    expect(loaded.filter((path) => foreign.test(path))).toEqual([])
    expect(loaded.filter((path) => !/^(\/|node:)/.test(path)).sort()).toEqual(packages.sort())
  })
})
