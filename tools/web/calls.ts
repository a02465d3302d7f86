// Which operations of the contract a declaration of the page calls, read from its text.
import type { Group } from '@rookery/contract/operation.ts'
import type { Declaration } from './declarations.ts'

type Groups = Readonly<Record<string, Group>>

export interface Called {
  readonly group: string
  readonly operation: string
}

/**
 * @param all the declarations of the same file, where a name may come from
 * @throws where a call takes its name from somewhere that cannot be read, since that operation would seem to have no page
 */
export function callsOf(groups: Groups, declaration: Declaration, all: readonly Declaration[]): Called[] {
  const { file, text } = declaration
  const byName = [...text.matchAll(/(?<!\w)'(\w+)',\s*(?=\S)/g)].flatMap(
    ({ 0: whole, 1: group = '', index }) => {
      const isCall = /\bcall(?:ForFile)?\(\s*$/.test(text.slice(0, index))
      if (!Object.hasOwn(groups, group) || /whyNot\([^()]*$/i.test(text.slice(0, index))) return []
      const known = groups[group] ?? {}
      const expression = argumentAt(text, index + whole.length)
      const names = isCall ? wordsOf(expression, declaration, all) : literals(expression)
      const inFile = () => all.filter((it) => it.file === file).flatMap((it) => literals(it.text))
      const read = names.filter((it) => Object.hasOwn(known, it))
      // A name that came a longer way stands somewhere in the file.
      const found = isCall && read.length === 0 ? inFile().filter((it) => Object.hasOwn(known, it)) : read
      if (isCall && found.length === 0)
        throw new Error(
          `packages/web/src/${file}: call('${group}', ${expression.trim()}) does not say its operation. Write the name there, or type it in this file by the names that it can have.`,
        )
      return found.map((operation) => ({ group, operation }))
    },
  )
  const byPath = Object.entries(groups).flatMap(([group, operations]) =>
    Object.entries(operations)
      .filter(([, { path }]) => text.includes(`'/api/v1${path}'`))
      .map(([operation]) => ({ group, operation })),
  )
  return [...byName, ...byPath]
}

/** The text of an argument: up to its comma, or to the end of the call. */
function argumentAt(text: string, from: number): string {
  let depth = 0
  for (let at = from; at < text.length; at++) {
    const letter = text[at] ?? ''
    if ('([{'.includes(letter)) depth++
    if (depth === 0 && ',)]}'.includes(letter)) return text.slice(from, at)
    if (')]}'.includes(letter)) depth--
  }
  return text.slice(from)
}

const literals = (text: string): string[] => [...text.matchAll(/'(\w+)'/g)].map(([, it = '']) => it)

/** The texts that an expression or a type may stand for: its own, and those of the table or type that it names. */
function wordsOf(expression: string, within: Declaration, all: readonly Declaration[], depth = 0): string[] {
  const own = literals(expression)
  if ((own.length > 0 && depth === 0) || depth === 3) return own
  for (const [word] of expression.matchAll(/(?<![.\w])[A-Za-z_]\w*/g)) {
    const declared = all.filter(({ file, names }) => file === within.file && names.includes(word))
    const types = [...within.text.matchAll(new RegExp(`\\b${word}\\??: ((?:\\([^)]*\\)|[^,;()=])+)`, 'g'))]
    const found = [
      ...declared.flatMap(({ text }) =>
        expression.includes(`keyof typeof ${word}`)
          ? [...text.matchAll(/(\w+):/g)].map(([, key = '']) => key)
          : literals(text),
      ),
      ...types.flatMap(([, type = '']) => wordsOf(type, within, all, depth + 1)),
    ]
    if (found.length > 0) return [...own, ...found]
  }
  return own
}
