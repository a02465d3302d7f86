// What no source of Rookery does with text: run it as code, or give it to a shell.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript-api'
import { expect, it } from 'vitest'
import { root } from './clone.mjs'

const SOURCES = globSync(['packages/*/{src,bin}/**/*.{ts,mjs}'], {
  cwd: root,
  exclude: ['**/*.test.ts'],
})

/** Modules that make code of text. */
const CODE_MODULES = ['node:vm', 'vm', 'node:repl', 'repl']
/** Functions of `node:child_process` that take a program and a list of arguments. */
const WITHOUT_SHELL = ['spawn', 'execFile', 'fork']

/** A source without these words has no such call: parsing the others takes a third of the time. */
const MAY_CALL = /\b(vm|repl|eval|Function|setTimeout|setInterval|child_process|shell)\b/

const parse = (text: string): ts.SourceFile => ts.createSourceFile('a.ts', text, ts.ScriptTarget.Latest)

function nodesOf(file: ts.SourceFile): ts.Node[] {
  const nodes: ts.Node[] = []
  function collect(node: ts.Node): void {
    nodes.push(node)
    ts.forEachChild(node, collect)
  }
  collect(file)
  return nodes
}

const isText = (node: ts.Node | undefined): boolean =>
  node !== undefined && (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node))

const moduleOf = (node: ts.ImportDeclaration): string =>
  ts.isStringLiteral(node.moduleSpecifier) ? node.moduleSpecifier.text : ''

function codeOfText(file: ts.SourceFile): string[] {
  return nodesOf(file).flatMap((node) => {
    if (ts.isImportDeclaration(node)) return CODE_MODULES.includes(moduleOf(node)) ? [moduleOf(node)] : []
    if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return []
    const callee = node.expression.getText(file)
    const isLateCode = /^set(Timeout|Interval)$/.test(callee) && isText(node.arguments?.[0])
    return isLateCode || /^(globalThis\.)?(eval|Function)$/.test(callee) ? [callee] : []
  })
}

function shells(file: ts.SourceFile): string[] {
  return nodesOf(file).flatMap((node) => {
    if (ts.isPropertyAssignment(node)) return node.name.getText(file) === 'shell' ? ['shell'] : []
    if (!ts.isImportDeclaration(node) || !/^(node:)?child_process$/.test(moduleOf(node))) return []
    const names = node.importClause?.namedBindings
    if (node.importClause?.isTypeOnly) return []
    if (!names || !ts.isNamedImports(names)) return ['all of child_process']
    const used = names.elements.filter(({ isTypeOnly }) => !isTypeOnly)
    return used.map((it) => it.getText(file)).filter((name) => !WITHOUT_SHELL.includes(name))
  })
}

it('text is never run as code, and programs are started without a shell', () => {
  expect(SOURCES.length).toBeGreaterThan(300)
  const found = SOURCES.flatMap((path) => {
    const text = readFileSync(join(root, path), 'utf8')
    if (!MAY_CALL.test(text)) return []
    const file = parse(text)
    return [...codeOfText(file), ...shells(file)].map((it) => `${path}: ${it}`)
  })
  expect(found).toEqual([])
})

it.each([
  ['eval(text)', 'eval'],
  ['new Function(text)', 'Function'],
  ['setTimeout(`a${b}`, 1)', 'setTimeout'],
  ["import { runInNewContext } from 'node:vm'", 'node:vm'],
])('%s would be found', (text, found) => {
  expect(codeOfText(parse(text))).toEqual([found])
})

it.each([
  ["import { exec } from 'node:child_process'", 'exec'],
  ["import * as run from 'child_process'", 'all of child_process'],
  ["spawn('ls', [], { shell: true })", 'shell'],
])('%s would be found', (text, found) => {
  expect(shells(parse(text))).toEqual([found])
})
