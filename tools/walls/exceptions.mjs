// Files that still break a rule, as data in exceptions.json: rule → file → reason. The list may only shrink.

/** @typedef {import('./inspect.mjs').Finding} Finding */
/** @typedef {Readonly<Record<string, Readonly<Record<string, string>>>>} Exceptions */

/**
 * The findings that no exception covers, and one for each exception that covers nothing.
 * @param {readonly Finding[]} findings
 * @param {Exceptions} exceptions
 * @returns {Finding[]}
 */
export function exceptThose(findings, exceptions) {
  const left = findings.filter(({ path, rule }) => exceptions[rule]?.[path] === undefined)
  const stale = staleOf(findings, exceptions).map(([rule, path]) => ({
    path: 'tools/walls/exceptions.json',
    line: 1,
    rule: 'exception',
    message: `excepts ${path} from rule ${rule}, which it does not break; strike the line, or run npm run walls -- --prune`,
  }))
  return [...left, ...stale]
}

/**
 * The exceptions without those that cover nothing.
 * @param {readonly Finding[]} findings
 * @param {Exceptions} exceptions
 * @returns {Exceptions}
 */
export function pruned(findings, exceptions) {
  const stale = new Set(staleOf(findings, exceptions).map(([rule, path]) => `${rule} ${path}`))
  const rules = Object.entries(exceptions)
    .map(([rule, files]) => ({
      rule,
      left: Object.entries(files).filter(([path]) => !stale.has(`${rule} ${path}`)),
    }))
    .filter(({ left }) => left.length > 0)
  return Object.fromEntries(rules.map(({ rule, left }) => [rule, Object.fromEntries(left)]))
}

/**
 * @param {readonly Finding[]} findings
 * @param {Exceptions} exceptions
 */
function staleOf(findings, exceptions) {
  const broken = new Set(findings.map(({ path, rule }) => `${rule} ${path}`))
  return Object.entries(exceptions)
    .flatMap(([rule, files]) => Object.keys(files).map((path) => [rule, path]))
    .filter(([rule, path]) => !broken.has(`${rule} ${path}`))
}
