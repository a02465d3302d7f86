// From a form to the parameters of an operation, and what is said of a file before it is sent.
import type { KindField } from './queries.ts'
import { sizeText, words } from './words.ts'

/** What was filled in: empty texts and files are left out, boxes are true or false. */
export function valuesOf(form: HTMLFormElement): Record<string, string | boolean | File> {
  const values: Record<string, string | boolean | File> = {}
  for (const [name, value] of new FormData(form))
    if (typeof value === 'string' ? value.trim() !== '' : value.size > 0) values[name] = value
  for (const box of form.querySelectorAll<HTMLInputElement>('input[type="checkbox"][name]'))
    values[box.name] = box.checked
  return values
}

/** How files of a format are named. The console looks at their bytes. */
const ENDINGS = new Map([
  ['jpeg', ['jpg', 'jpeg']],
  ['pe', ['exe', 'dll', 'sys']],
])
const endingsOf = ({ formats = [] }: KindField): string[] => formats.flatMap((it) => ENDINGS.get(it) ?? [it])

export const acceptOf = (field: KindField): string =>
  endingsOf(field)
    .map((it) => `.${it}`)
    .join(',')

/** Why the console would refuse it; undefined where it would not. */
export function faultOfFile(field: KindField, { name, size }: File): string | undefined {
  const endings = endingsOf(field)
  const ending = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase()
  if (endings.length > 0 && ending !== undefined && !endings.includes(ending))
    return words.form.wrongFormat((field.formats ?? []).join(', '), `.${ending}`)
  if (field.max_bytes !== undefined && size > field.max_bytes)
    return words.form.tooLarge(sizeText(size), sizeText(field.max_bytes))
  return undefined
}

const SHORT = /\b(arn|css|dns|html|id|ip|js|qr|sql|url|uri)\b/g

/** `Expected referrer` of `expected_referrer`, `Redirect URL` of `redirect_url`. */
export const labelOf = (name: string): string => {
  const spaced = name.replaceAll('_', ' ').replace(SHORT, (word) => word.toUpperCase())
  return spaced.slice(0, 1).toUpperCase() + spaced.slice(1)
}
