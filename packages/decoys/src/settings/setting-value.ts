// Whether a value fits its setting, and in words what it must be.
import { wholeText, type SettingDescriptor, type TextFormat } from './descriptor.ts'
import { treeExpectation } from './tree-value.ts'

/** `must be …, not …`; undefined when the value is right. */
export function valueProblem(setting: SettingDescriptor, value: unknown): string | undefined {
  const expected = expectation(setting, value)
  return expected === undefined ? undefined : `must be ${expected}, not ${preview(value)}`
}

/** What the value must be, in words; `undefined` when it is right. */
function expectation(setting: SettingDescriptor, value: unknown): string | undefined {
  const { type, choices = [] } = setting
  switch (type) {
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'true or false'
    case 'port':
      return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 65_535
        ? undefined
        : 'a number from 1 to 65535'
    case 'integer':
      return integerExpectation(setting, value)
    case 'choice':
      return typeof value === 'string' && choices.includes(value) ? undefined : `one of ${choices.join(', ')}`
    case 'text':
      return textExpectation(setting, value)
    case 'list':
      return listExpectation(setting, value)
    case 'object':
      return objectExpectation(setting, value)
    case 'tree':
      return treeExpectation(value)
  }
}

function integerExpectation(
  { minimum = 0, maximum = Number.MAX_SAFE_INTEGER }: SettingDescriptor,
  value: unknown,
): string | undefined {
  return Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum
    ? undefined
    : `a whole number from ${minimum} to ${maximum}`
}

function textExpectation(
  { maxLength = Infinity, format }: Pick<SettingDescriptor, 'maxLength' | 'format'>,
  value: unknown,
): string | undefined {
  if (typeof value !== 'string') return 'a text'
  if (value.length > maxLength) return `a text of at most ${maxLength} characters`
  return format === undefined || matches(format, value) ? undefined : format.expectation
}

function listExpectation({ fields }: SettingDescriptor, value: unknown): string | undefined {
  if (!Array.isArray(value) || !value.every(isObject)) return 'a list of objects'
  const hasFields = (item: object): boolean =>
    Object.keys(item).sort().join() === [...(fields ?? [])].sort().join()
  return fields === undefined || value.every(hasFields)
    ? undefined
    : `a list of objects, each with ${fields.join(', ')}`
}

function objectExpectation({ names, ...of }: SettingDescriptor, value: unknown): string | undefined {
  if (!isObject(value) || !Object.values(value).every((each) => typeof each === 'string'))
    return 'an object of texts by name'
  if (names && !Object.keys(value).every((name) => matches(names, name)))
    return `an object whose names are each ${names.expectation}`
  const [wrong] = Object.values(value).flatMap((each) => textExpectation(of, each) ?? [])
  return wrong === undefined ? undefined : `an object whose values are each ${wrong}`
}

const compiled = new Map<string, RegExp>()

function matches(format: TextFormat, text: string): boolean {
  const pattern = wholeText(format)
  const expression = compiled.get(pattern) ?? new RegExp(pattern, 'u')
  compiled.set(pattern, expression)
  return expression.test(text)
}

/** A value for an error message. */
function preview(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
