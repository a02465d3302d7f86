// Words that nobody should have to look up, and types that are named by a participle.
import ts from 'typescript-api'
import { BANNED_WORDS, NOUNS } from './words.data.mjs'

/** @typedef {import('./inspect.mjs').Finding} Finding */

/** Texts of others, and those that must say the words. */
const EXEMPT =
  /^LICENSE$|^docs\/reference\/|(^|\/)golden\/|\.(gen|data)\.ts$|^package-lock\.json$|^tools\/walls\/words\./

/** A limit is named as the field names one: MAX_FRAME_BYTES. */
const LIMIT = /\b(?:MOST|LONGEST|LARGEST|LEAST|SHORTEST|FEWEST)_[A-Z]/

/** A word of a text or a part of a name: `isTold` has two. */
const WORD = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g

/**
 * @param {string} path
 * @param {string} text
 * @returns {Finding[]}
 */
export function checkWords(path, text) {
  if (EXEMPT.test(path)) return []
  return text.split('\n').flatMap((line, at) => {
    const words = (line.match(WORD) ?? []).flatMap((word) => {
      const banned = BANNED_WORDS.find(({ forms }) => forms.test(word.toLowerCase()))
      return banned ? [`says "${word}"; ${banned.instead}`] : []
    })
    if (LIMIT.test(line)) words.push('names a limit by a superlative; MAX_… or MIN_…')
    return words.map((message) => ({ path, line: at + 1, rule: 'word', message }))
  })
}

/**
 * What is wrong with the name of a type; undefined for nothing, and for any other node.
 * @param {ts.Node} node
 */
export function checkTypeName(node) {
  if (!ts.isInterfaceDeclaration(node) && !ts.isTypeAliasDeclaration(node)) return undefined
  const name = node.name.text
  if (!/[a-z]ing$/.test(name) || NOUNS.test(name)) return undefined
  return `names a type by a participle, ${name}; a bag of dependencies is …Deps or an inline Pick<…>, anything else a noun`
}
