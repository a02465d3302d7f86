// What the linter and the compiler refuse: a bad snippet for each rule of .oxlintrc.json and for the switches of tsconfig.json.
import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import ts from 'typescript-api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { root } from './clone.mjs'

/** Rule → what it refuses. */
const REFUSED: Readonly<Record<string, string>> = {
  'typescript/no-floating-promises': 'const later = async () => 1\nlater()',
  'typescript/no-misused-promises': 'const later = async () => true\nif (later()) process.exit()',
  'typescript/await-thenable': 'export const one = async () => { await 1 }',
  'typescript/return-await':
    'const later = async () => 1\nexport async function f() { try { return later() } catch { return 2 } }',
  'typescript/only-throw-error': "export function f(): never { throw 'no error' }",
  'typescript/switch-exhaustiveness-check':
    "export function f(kind: 'a' | 'b') { switch (kind) { case 'a': return 1 }\nreturn 2 }",
  'typescript/no-explicit-any': 'export const f = (given: any) => String(given)',
  'typescript/consistent-type-imports': "import { Socket } from 'node:net'\nexport type Peer = Socket",
  'typescript/ban-ts-comment': '// @ts-ignore\nexport const one: string = 1',
  'no-unused-expressions': 'export const f = (a: number) => { a + 1 }',
  eqeqeq: 'export const f = (a: number, b: number) => a == b',
  'max-lines': Array.from({ length: 401 }, (_, n) => `export const a${n} = ${n}`).join('\n'),
  'import/no-cycle': "import type { B } from './back-to-import-no-cycle.ts'\nexport type A = readonly B[]",
  'no-debugger': 'debugger',
  'no-eval': "eval('1')",
  'no-new-func': "export const f = new Function('return 1')",
  'no-var': 'export var a = 1',
  'prefer-const': 'let a = 1\nexport const b = a',
  'no-else-return': 'export function f(a: boolean) { if (a) { return 1 } else { return 2 } }',
  'no-self-compare': 'export const f = (a: number) => a === a',
  'no-constant-binary-expression': 'export const f = (a: object) => ({ ...a }) ?? 1',
  'no-unsafe-finally': 'export function f() { try { return 1 } finally { return 2 } }',
  'no-dupe-keys': 'export const a = { b: 1, b: 2 }',
  'no-duplicate-case':
    'export function f(a: number) { switch (a) { case 1: return 1; case 1: return 2 }\nreturn 3 }',
  'no-async-promise-executor': 'export const a = new Promise<void>(async (resolve) => resolve())',
  'react/rules-of-hooks':
    "import { useState } from 'react'\nexport function A({ b }: { b: boolean }) { if (b) useState(1)\nreturn null }",
  'react/exhaustive-deps':
    "import { useEffect } from 'react'\nexport function A({ b }: { b: number }) { useEffect(() => { console.log(b) }, [])\nreturn null }",
  'react/jsx-key': 'export const A = () => <ul>{[1, 2].map((it) => <li>{it}</li>)}</ul>',
  'react/jsx-no-script-url': 'export const A = () => <a href="javascript:alert(1)">a</a>',
  'react/no-danger': "export const A = () => <p dangerouslySetInnerHTML={{ __html: 'a' }} />",
  'react/no-unknown-property': 'export const A = () => <p class="a" />',
}

/** What options of the rules let pass. */
const ALLOWED: Readonly<Record<string, string>> = {
  'a group of tests that nobody awaits':
    "import { describe, it } from 'vitest'\ndescribe('a', () => { it('b', async () => { await Promise.resolve() }) })",
  'a default for what a union has besides':
    "export function f(kind: 'a' | 'b') { switch (kind) { case 'a': return 1; default: return 2 } }",
  'a promise returned where nothing catches it':
    'const later = async () => 1\nexport const f = async () => later()',
}

/** Switch of the compiler → the error, and what it refuses. */
const MISTYPED: Readonly<Record<string, readonly [error: string, text: string]>> = {
  strict: ['TS7006', 'export const f = (a) => Number(a)'],
  noUncheckedIndexedAccess: ['TS2532', 'export const f = (a: number[]) => a[0].toFixed()'],
  exactOptionalPropertyTypes: ['TS2375', 'export const a: { b?: number } = { b: undefined }'],
  noImplicitOverride: ['TS4114', 'class A { f() {} }\nexport class B extends A { f() {} }'],
  noImplicitReturns: ['TS7030', 'export function f(a: boolean) { if (a) return 1 }'],
  noFallthroughCasesInSwitch: [
    'TS7029',
    'export function f(a: number) { switch (a) { case 1: a++\ncase 2: return a }\nreturn 3 }',
  ],
  noUnusedLocals: ['TS6133', 'const a = 1\nexport {}'],
  noUnusedParameters: ['TS6133', 'export const f = (a: number) => 1'],
  erasableSyntaxOnly: ['TS1294', 'export enum A { B }'],
  verbatimModuleSyntax: ['TS1484', "import { AddressInfo } from 'node:net'\nexport type A = AddressInfo"],
}

interface Finding {
  readonly filename: string
  readonly code: string
}

const folder = mkdtempSync(join(tmpdir(), 'rookery-refusals-'))
const CONFIG = '.oxlintrc.json'
const { config } = ts.parseConfigFileTextToJson(CONFIG, readFileSync(join(root, CONFIG), 'utf8')) as {
  config: { overrides: readonly { rules: Readonly<Record<string, unknown>> }[] }
}
let lintFindings: readonly Finding[] = []
let typeErrors = ''

/** The rules of the page hold there alone. */
const fileOf = (name: string) => {
  const file = name.replace(/\W/g, '-')
  return name.startsWith('react/') ? `packages/web/src/${file}.tsx` : `packages/a/src/${file}.ts`
}
const put = (name: string, text: string) => writeFileSync(join(folder, fileOf(name)), `${text}\n`)
const run = (script: string, ...args: string[]) =>
  spawnSync(process.execPath, [join(root, 'node_modules', script), ...args], {
    cwd: folder,
    encoding: 'utf8',
  })

beforeAll(() => {
  for (const name of ['a', 'web']) mkdirSync(join(folder, `packages/${name}/src`), { recursive: true })
  for (const file of [CONFIG, 'tsconfig.json']) copyFileSync(join(root, file), join(folder, file))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  for (const [name, text] of Object.entries({ ...REFUSED, ...ALLOWED })) put(name, text)
  put(
    'back to import/no-cycle',
    "import type { A } from './import-no-cycle.ts'\nexport type B = readonly A[]",
  )
  put('unused directive', '// oxlint-disable-next-line no-var\nexport const a = 1')
  const { stdout } = run('oxlint/bin/oxlint', '--disable-nested-config', '--format=json', 'packages')
  lintFindings = (JSON.parse(stdout) as { diagnostics: Finding[] }).diagnostics
  for (const [name, [, text]] of Object.entries(MISTYPED)) put(name, text)
  typeErrors = run('typescript/bin/tsc', '-p', '.', '--pretty', 'false').stdout
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Rules that refuse the snippet, without their plugin. */
const rulesAt = (name: string) =>
  lintFindings
    .filter(({ filename }) => filename === fileOf(name))
    .map(({ code }) => /\((.*)\)$/.exec(code)?.[1] ?? code)

describe('lint', () => {
  it('has a bad snippet for each of its rules', () => {
    const rules = [...new Set(config.overrides.flatMap((it) => Object.keys(it.rules)))]
    expect(rules.toSorted()).toEqual(Object.keys(REFUSED).toSorted())
  })

  it.each(Object.keys(REFUSED))('refuses what breaks %s', (rule) => {
    expect(rulesAt(rule)).toContain(rule.replace(/^(typescript|react|import)\//, ''))
  })

  it.each(Object.keys(ALLOWED))('lets %s pass', (name) => {
    expect(rulesAt(name)).toEqual([])
  })

  it('refuses a directive that switches off nothing', () => {
    expect(lintFindings.filter(({ filename }) => filename === fileOf('unused directive'))).toHaveLength(1)
  })
})

describe('the compiler', () => {
  it.each(Object.entries(MISTYPED))('refuses what breaks %s', (name, [error]) => {
    expect(typeErrors.split('\n').filter((line) => line.startsWith(fileOf(name)))).toEqual([
      expect.stringContaining(`error ${error}:`),
    ])
  })

  it('is the one of the packages, and its older parser reads the source for walls and tests', () => {
    expect(run('typescript/bin/tsc', '--version').stdout).toMatch(/^Version 7\./)
    expect(ts.version).toMatch(/^6\./)
  })
})
