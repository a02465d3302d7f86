// Circles of imports among the files of a package, type imports too.
import { posix } from 'node:path'

/** @typedef {import('./inspect.mjs').Finding} Finding */
/** @typedef {ReadonlyMap<string, readonly string[]>} Graph path → paths that it imports */

/**
 * The files that a file imports, as paths: those of its own package that are neither tests nor generated.
 * @param {string} path
 * @param {readonly string[]} modules as they are named
 */
export function importsOf(path, modules) {
  const [, name = ''] = /^packages\/([^/]+)\/(?:src|lab)\//.exec(path) ?? []
  const own = `@rookery/${name}/`
  return modules
    .map((from) => {
      if (from.startsWith('.')) return posix.join(posix.dirname(path), from)
      if (!from.startsWith(own)) return ''
      const inside = from.slice(own.length)
      return `packages/${name}/${inside.startsWith('lab/') ? inside : `src/${inside}`}`
    })
    .filter((target) => /\.tsx?$/.test(target) && !/\.(test|gen)\.tsx?$/.test(target))
}

/**
 * A finding for each file that imports itself through others, with a shortest way back.
 * @param {Graph} graph
 * @returns {Finding[]}
 */
export function findCircles(graph) {
  return [...graph.keys()].flatMap((path) => {
    const circle = wayBack(graph, path)
    if (!circle) return []
    const names = [...circle, path].map((it) => it.replace(/^packages\/[^/]+\/(src\/)?/, ''))
    const message = `imports itself: ${names.join(' → ')}; move what both ends need into a file below them`
    return [{ path, line: 1, rule: 'circle', message }]
  })
}

/**
 * The shortest way from a file along its imports to itself; undefined for none.
 * @param {Graph} graph
 * @param {string} start
 */
function wayBack(graph, start) {
  /** @type {Map<string, string>} */
  const before = new Map()
  let edge = [start]
  while (edge.length > 0) {
    /** @type {string[]} */
    const next = []
    for (const path of edge)
      for (const target of graph.get(path) ?? []) {
        if (target === start) return trace(before, start, path)
        if (before.has(target)) continue
        before.set(target, path)
        next.push(target)
      }
    edge = next
  }
  return undefined
}

/**
 * @param {ReadonlyMap<string, string>} before
 * @param {string} start
 * @param {string} end
 */
function trace(before, start, end) {
  const way = [end]
  for (let at = end; at !== start;) {
    at = before.get(at) ?? start
    way.unshift(at)
  }
  return way
}
