// Looks at one file through the walls: its path and text in, findings out.
import { posix } from 'node:path'
import ts from 'typescript-api'
import { checkFunction } from './functions.mjs'
import { checkLookup } from './lookups.mjs'
import { checkProduct } from './products.mjs'
import { checkPromise } from './promises.mjs'
import { checkPlace, checkRoom } from './rooms.mjs'
import { checkSink } from './sinks.mjs'
import * as table from './table.mjs'
import { checkTypeName, checkWords } from './words.mjs'

/** @typedef {{ path: string, line: number, rule: string, message: string }} Finding */

/** Written so that this file does not say it. */
const OUTSIDE_FOLDER = new RegExp(`\\.\\./${'shared'}\\b`)

/**
 * What is wrong with a file of the repository.
 * @param {string} path from the root of the repository, with slashes
 * @param {string} text
 * @returns {Finding[]}
 */
export function inspect(path, text) {
  const findings = [...inspectText(path, text), ...checkWords(path, text)]
  return /\.(ts|tsx|mjs)$/.test(path) ? [...findings, ...inspectCode(path, text)] : findings
}

/**
 * @param {string} path
 * @param {string} text
 * @returns {Finding[]}
 */
function inspectText(path, text) {
  return text.split('\n').flatMap((line, at) =>
    OUTSIDE_FOLDER.test(line)
      ? [
          {
            path,
            line: at + 1,
            rule: 'outside',
            message: 'names a folder outside the repository; copy the fact in here',
          },
        ]
      : [],
  )
}

/**
 * @param {string} path
 * @param {string} text
 */
function inspectCode(path, text) {
  /** @type {Finding[]} */
  const findings = []
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const place = placeOf(path)
  /** @type {(node: ts.Node, rule: string, message: string) => void} */
  const report = (node, rule, message) => {
    const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1
    findings.push({ path, line, rule, message })
  }

  const misplaced = checkPlace(path)
  if (misplaced) findings.push({ path, line: 1, rule: 'room', message: misplaced })

  /** @param {ts.Node} node */
  const visit = (node) => {
    const tooLong = checkFunction(path, node, source)
    if (tooLong) report(node, 'function', tooLong)
    const misnamed = checkTypeName(node)
    if (misnamed) report(node, 'word', misnamed)
    const inherits = place.package && !place.isTest ? checkLookup(node) : undefined
    if (inherits) report(node, 'lookup', inherits)
    const sink = checkSink(path, node)
    if (sink) report(node, 'sink', sink)
    if (ts.isExportDeclaration(node) && !node.exportClause)
      report(node, 'barrel', 'exports everything of another file; import each name from where it is made')
    if (ts.isSpreadAssignment(node) && ts.isObjectLiteralExpression(node.expression))
      report(node, 'layout', 'spreads an object that stands right there; write its properties one a line')
    if (ts.isVoidExpression(node) && isChange(node.expression))
      report(
        node,
        'layout',
        'throws a result away by `void`; call it as a statement, or let the type answer unknown',
      )
    const from = importedFrom(node)
    if (from !== undefined) checkImport(place, from, node, report)
    if (place.package && !place.isTest) checkCalls(place, node, report)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return findings
}

/** @param {string} path */
function placeOf(path) {
  const [, name, inside = ''] = /^packages\/([^/]+)\/(.+)$/.exec(path) ?? []
  return {
    path,
    /** The package whose source this is; undefined for tools, benches and a package's launcher. */
    package: name !== undefined && /^(src|lab|test)\//.test(inside) ? name : undefined,
    isTest: /\.test\.tsx?$|(^|\/)(test|testing|bench|fixtures)\//.test(path),
    isWorld: /(^|\/)world\.ts$|^packages\/[^/]+\/src\/world\//.test(path),
    isConfig: /(^|\/)config\.ts$/.test(path),
    isStore: /(^|\/|\.)store\.ts$|\/migrations\/|^packages\/console\/src\/db\//.test(path),
    feature: /^packages\/console\/src\/features\/([^/]+)\//.exec(path)?.[1],
  }
}

/** What changes a list, a set or a map, and answers something that nobody asked for. */
const CHANGES = ['push', 'unshift', 'add', 'set', 'delete']
/** @param {ts.Node} node */
const isChange = (node) =>
  ts.isCallExpression(node) &&
  ts.isPropertyAccessExpression(node.expression) &&
  CHANGES.includes(node.expression.name.text)

/** @typedef {ReturnType<typeof placeOf>} Place */
/** @typedef {(node: ts.Node, rule: string, message: string) => void} Report */

/**
 * The module that a statement or a dynamic import names.
 * @param {ts.Node} node
 */
function importedFrom(node) {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) {
    const { moduleSpecifier } = node
    return moduleSpecifier && ts.isStringLiteral(moduleSpecifier) ? moduleSpecifier.text : undefined
  }
  const isCall = ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword
  const [named] = isCall ? node.arguments : []
  return named && ts.isStringLiteralLike(named) ? named.text : undefined
}

/** @type {(place: Place, from: string, node: ts.Node, report: Report) => void} */
function checkImport(place, from, node, report) {
  const target = from.startsWith('.') ? posix.join(posix.dirname(place.path), from) : from
  if (place.package && from.startsWith('.') && !target.startsWith(`packages/${place.package}/`))
    return report(node, 'package', `reaches ${target} by a path; import it as @rookery/<package>/<file>.ts`)
  const across = checkPromise(place.path, target)
  if (across) report(node, 'promise', across)
  // A test may play the other side; the source may not.
  if (!place.package || place.isTest) return
  checkPackage(place.package, from, node, report)
  const sideways = checkProduct(place.path, from)
  if (sideways) report(node, 'product', sideways)
  const upwards = checkRoom(place.path, from)
  if (upwards) report(node, 'room', upwards)

  const feature = /^packages\/console\/src\/features\/([^/]+)\//.exec(target)?.[1]
  if (place.feature && feature && feature !== place.feature)
    report(
      node,
      'feature',
      `feature ${place.feature} imports feature ${feature}; take a narrow function of RouteDeps (route-deps.ts)`,
    )
  const instead = valueOf(table.WORLDLY_MODULES, from)
  if (instead && !isTypeOnly(node) && !place.isWorld && !place.isStore && !isClient(place))
    report(node, 'world', `imports ${from}; ask the World's ${instead}, whose source lies in a world file`)
  if (/(^|\/)descriptor\.ts$/.test(place.path) && /^(node:|[a-z])/.test(from) && !isTypeOnly(node))
    report(node, 'descriptor', `imports ${from}; a descriptor is pure data that also loads in a browser`)
}

/** @type {(name: string, from: string, node: ts.Node, report: Report) => void} */
function checkPackage(name, from, node, report) {
  const allowed = table.MAY_IMPORT[name]
  if (!allowed)
    return report(
      node,
      'package',
      `package ${name} is not in the table of tools/walls/table.mjs; add it there`,
    )
  const [, other = '', file = ''] = /^@rookery\/([^/]+)\/?(.*)$/.exec(from) ?? []
  const outside = valueOf(table.OUTSIDE, name)
  if (!other && outside && !from.startsWith('.') && !outside.includes(from.split('/')[0] ?? ''))
    return report(node, 'package', `${name} imports ${from}; it may import only ${outside.join(', ')}`)
  if (!other || other === name) return
  const door = allowed[other]
  const others = Object.keys(allowed).join(', ') || 'no other package'
  if (!door) report(node, 'package', `${name} imports ${from}; it may import ${others}`)
  else if (door !== true && !door.test(file))
    report(node, 'package', `${name} imports ${from}; of ${other} it may import descriptors only`)
}

/** @type {(place: Place, node: ts.Node, report: Report) => void} */
function checkCalls(place, node, report) {
  if (ts.isPropertyAccessExpression(node)) {
    const name = node.name.text
    const phrase = ts.isIdentifier(node.expression) ? `${node.expression.text}.${name}` : ''
    if (phrase === 'process.env' && !place.isConfig)
      report(node, 'environment', 'reads process.env; take the option from config.ts')
    const instead = valueOf(table.WORLDLY, phrase)
    if (instead && !place.isWorld) report(node, 'world', `uses ${phrase}; ask the World: ${instead}`)
    if (table.SQL_CALLS.includes(name) && ts.isCallExpression(node.parent) && !place.isStore)
      report(
        node.name,
        'sql',
        `.${name}() outside a store; put the query into the store.ts of the table's owner`,
      )
  }
  if (
    ts.isNewExpression(node) &&
    node.expression.getText() === 'Date' &&
    !node.arguments?.length &&
    !place.isWorld
  )
    report(node, 'world', 'uses new Date(); ask the World: clock.now()')
  if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) {
    const name = node.expression.text
    if (table.TIMERS.includes(name) && table.PURE_FILES.test(place.path))
      report(node, 'pure', `${name}() in a pure file; answer a step and let the host keep time`)
    if (name === 'fetch' && !place.isWorld && !isClient(place))
      report(node, 'world', 'uses fetch(); ask the World: outbound.send()')
  }
  if (ts.isImportSpecifier(node) && !isTypeOnly(node)) {
    const name = (node.propertyName ?? node.name).text
    const from = importedFrom(node.parent.parent.parent) ?? ''
    const instead = valueOf(table.WORLDLY_IMPORTS, name)
    if (instead && /^(node:)?crypto$/.test(from) && !place.isWorld)
      report(node, 'world', `imports ${name}; ask the World: ${instead}`)
    if (from === 'kysely' && (name === 'sql' || name === 'Kysely') && !place.isStore)
      report(
        node,
        'sql',
        `imports ${name} outside a store; put the query into the store.ts of the table's owner`,
      )
  }
}

/** The command and the SDK are clients: calling out is what they are for. @param {Place} place */
const isClient = (place) => place.package === 'cli' || place.package === 'sdk' || place.package === 'web'

/** @param {ts.Node} node */
function isTypeOnly(node) {
  if (ts.isImportSpecifier(node))
    return node.isTypeOnly || node.parent.parent.phaseModifier === ts.SyntaxKind.TypeKeyword
  if (ts.isImportDeclaration(node)) return node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword
  return ts.isExportDeclaration(node) && node.isTypeOnly
}

/**
 * @template T
 * @param {Readonly<Record<string, T>>} record
 * @param {string} key
 */
const valueOf = (record, key) => (Object.hasOwn(record, key) ? record[key] : undefined)
