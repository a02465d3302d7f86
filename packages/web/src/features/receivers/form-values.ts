// From a form of a kind to the parameters of its operation. Pure, but for reading the form.
import type { FormField } from './queries.ts'

/** `Client cert` of `client_cert`; short names are abbreviations. */
export const labelOf = (name: string): string => {
  if (name.length <= 3) return name.toUpperCase()
  const spaced = name.replaceAll('_', ' ')
  return spaced.slice(0, 1).toUpperCase() + spaced.slice(1)
}

/** What was filled in: empty texts are left out. */
export function valuesOf(
  given: FormData,
  fields: readonly FormField[],
): Record<string, string | number | boolean | object> {
  const values: Record<string, string | number | boolean | object> = {}
  for (const { name, type } of fields) {
    const text = String(given.get(name) ?? '')
    if (type === 'switch') values[name] = given.has(name)
    else if (text.trim() === '') continue
    else if (type === 'number') values[name] = Number(text)
    else if (type === 'list') values[name] = entriesOf(text).join(',')
    else if (type === 'map') values[name] = Object.fromEntries(entriesOf(text, '\n').map(pairOf))
    else values[name] = type === 'lines' ? text : text.trim()
  }
  return values
}

const entriesOf = (text: string, separator: string | RegExp = /[,\n]/): string[] =>
  text
    .split(separator)
    .map((it) => it.trim())
    .filter(Boolean)

/** `Name: value`; a line without a colon is a name without a value, which the console refuses in its own words. */
const pairOf = (line: string): [string, string] => {
  const at = line.indexOf(':')
  return at < 0 ? [line, ''] : [line.slice(0, at).trim(), line.slice(at + 1).trim()]
}
