// Looks at all files of the repository: at each by itself, and at the circles that their imports make.
import ts from 'typescript-api'
import { findCircles, importsOf } from './circles.mjs'
import { inspect } from './inspect.mjs'

/**
 * @param {ReadonlyMap<string, string>} texts path from the root of the repository, with slashes → text
 * @returns {import('./inspect.mjs').Finding[]}
 */
export function inspectAll(texts) {
  const each = [...texts].flatMap(([path, text]) => inspect(path, text))
  const sources = [...texts].filter(
    ([path]) => /^packages\/[^/]+\/(src|lab)\/.*\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path),
  )
  const graph = sources.map(([path, text]) => {
    const modules = ts.preProcessFile(text).importedFiles.map(({ fileName }) => fileName)
    return /** @type {const} */ ([path, importsOf(path, modules)])
  })
  return [...each, ...findCircles(new Map(graph))]
}
