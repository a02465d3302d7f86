import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { isShort } from '@rookery/kernel/test/size.ts'
import { run } from './command.ts'
import { EXIT, loadProof, missing, namesOfProofs } from './proof.ts'
import { chosen, verdict } from './runner.ts'

test('every file of promises/tools/ is a proof', async ({ skip }) => {
  skip(isShort)
  for (const name of namesOfProofs()) expect((await loadProof(name)).title).not.toBe('')
})

test('an unknown name is an error that tells the known ones', () => {
  expect(() => chosen(['nmpa'], ['hydra', 'nmap'])).toThrow(
    'There is no proof "nmpa"; there are hydra, nmap.',
  )
})

test('the verdict tells skipped from passed', () => {
  const outcomes = new Map([
    ['a', 'passed'],
    ['b', 'skipped'],
    ['c', 'failed'],
  ] as const)
  expect(verdict(outcomes)).toBe('1 passed, 1 skipped (b), 1 failed (c).')
})

test('a missing tool is named', () => {
  expect(missing(['sh'])).toBeUndefined()
  expect(missing(['sh', 'no-such-tool'])).toBe('no-such-tool is not installed')
  expect(missing(['python3-no-such-module', '/bin/sh'])).toBe('python3-no-such-module is not installed')
})

test('a proof whose tool is not installed says so and is skipped', async () => {
  const folder = mkdtempSync(`${tmpdir()}/rookery-`)
  const { code, stdout } = await run(process.execPath, [`${import.meta.dirname}/one.ts`, 'nmap', folder], {
    env: { PATH: folder },
  })
  rmSync(folder, { recursive: true })
  expect(stdout).toContain('skipped: nmap is not installed')
  expect(code).toBe(EXIT.skipped)
})
