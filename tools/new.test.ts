// Each skeleton in a copy of the clone: the generator finds it, the walls admit it, and its tests say what is to be done.
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isShort } from '@rookery/kernel/test/size.ts'
import { root } from './clone.mjs'
import { generate } from './generate.ts'
import { writeSkeleton } from './new.ts'
import { scratch } from './scratch.ts'
import { inspect } from './walls/inspect.mjs'

let clone = ''
const written: string[] = []
const read = (path: string) => readFileSync(join(clone, path), 'utf8')

beforeAll(async () => {
  clone = mkdtempSync(join(scratch(), 'rookery-new-'))
  for (const path of ['packages', 'tools', 'package.json', 'tsconfig.json', 'vitest.config.ts'])
    cpSync(join(root, path), join(clone, path), {
      recursive: true,
      filter: (from) => !from.includes('node_modules'),
    })
  linkModules()
  for (const template of ['token', 'service', 'udp-service', 'receiver', 'tcp-receiver', 'group'])
    written.push(...(await writeSkeleton(clone, template, `night-${template}`)))
  generate(clone)
})
afterAll(() => rmSync(clone, { recursive: true, force: true }))

/** The installed packages, and for those of the workspace the copies. */
function linkModules() {
  const modules = join(root, 'node_modules')
  mkdirSync(join(clone, 'node_modules/@rookery'), { recursive: true })
  for (const name of readdirSync(modules).filter((it) => it !== '@rookery'))
    symlinkSync(join(modules, name), join(clone, 'node_modules', name))
  for (const name of readdirSync(join(clone, 'packages')))
    symlinkSync(join(clone, 'packages', name), join(clone, 'node_modules/@rookery', name))
}

describe('a skeleton', () => {
  it('is found by the generator', () => {
    expect(read('packages/tokens/src/kinds.gen.ts')).toContain("'night-token': nightToken")
    expect(read('packages/tokens/src/descriptors.gen.ts')).toContain('./kinds/night-token/descriptor.ts')
    expect(read('packages/decoys/src/services.gen.ts')).toContain("'night-service': nightService")
    expect(read('packages/decoys/src/services.gen.ts')).toContain("'night-udp-service': nightUdpService")
    expect(read('packages/decoys/src/services/night-udp-service/service.ts')).toContain("transport: 'udp'")
    expect(read('packages/console/src/notify/receivers.gen.ts')).toContain('./receivers/night-receiver/')
    expect(read('packages/console/src/notify/receivers.gen.ts')).toContain('./receivers/night-tcp-receiver/')
    for (const name of ['night-receiver', 'night-tcp-receiver', 'night-group'])
      expect(read('packages/contract/src/groups.gen.ts')).toContain(`./groups/${name}.ts`)
    expect(read('packages/console/src/routes.gen.ts')).toContain('./features/night-group/routes.ts')
  })

  it('breaks no wall', () => {
    expect(written.flatMap((path) => inspect(path, read(path)))).toEqual([])
  })

  it('has tests that fail with what is to be done in which file', ({ skip }) => {
    skip(isShort)
    const tests = written.filter((path) => path.endsWith('.test.ts'))
    expect(tests).toHaveLength(8)
    const vitest = join(root, 'node_modules/vitest/vitest.mjs')
    const report = join(clone, 'report.json')
    // One worker loads what the files share once.
    const args = [vitest, 'run', '--maxWorkers=1', '--reporter=json', `--outputFile=${report}`, ...tests]
    const { stderr } = spawnSync(process.execPath, args, { cwd: clone, encoding: 'utf8' })
    expect(existsSync(report), stderr).toBe(true)
    const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
      testResults: { name: string; message: string; assertionResults: { failureMessages: string[] }[] }[]
    }
    expect(testResults).toHaveLength(tests.length)
    for (const { name, message, assertionResults } of testResults) {
      expect([name, message]).toEqual([name, ''])
      const failures = assertionResults.flatMap(({ failureMessages }) => failureMessages)
      expect(failures.length).toBeGreaterThan(0)
      for (const failure of failures) expect(failure).toMatch(/(\.ts|\.md|contract|operation)\b/)
    }
  })

  it('is never written over what is there', async () => {
    await expect(writeSkeleton(clone, 'token', 'night-token')).rejects.toThrow(
      'packages/tokens/src/kinds/night-token/README.md is already there.',
    )
  })

  it('of an unknown template, or with a wrong name, is refused', async () => {
    await expect(writeSkeleton(clone, 'tokens', 'a')).rejects.toThrow('There is no template "tokens".')
    await expect(writeSkeleton(clone, 'token', 'Night Token')).rejects.toThrow('"Night Token" is no name;')
    await expect(writeSkeleton(clone, 'group')).rejects.toThrow(
      'Use: npm run new -- token|service|udp-service|receiver|tcp-receiver|group <name>',
    )
  })
})
