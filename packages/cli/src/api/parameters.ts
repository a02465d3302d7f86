// Parameters of the command line as the operation takes them. The console checks their values.
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { ListedOperation, Parameter } from '@rookery/sdk/operations.ts'
import type { CommandLine } from './command-line.ts'
import { suggest } from '@rookery/kernel/suggest.ts'
import { UsageError } from './usage-error.ts'

/** Types whose value may be `@file`, or `@-` for the standard input. That of a secret must be. */
const FROM_FILE: readonly Parameter['type'][] = ['file', 'object', 'lines']

/** Parameters by their names, in which hyphens may replace underscores. Refuses unknown, repeated and missing ones. */
export function readParameters(
  { parameters, path }: ListedOperation,
  given: CommandLine['parameters'],
): Record<string, string | File> {
  const values: Record<string, string | File> = {}
  for (const [spelled, value] of given) {
    const parameter = parameters.find(({ name }) => name === spelled || name === spelled.replaceAll('-', '_'))
    if (!parameter) throw new UsageError(unknownParameter(spelled, path, parameters))
    const { name, type } = parameter
    if (name in values) throw new UsageError(`--${name} is given twice.`)
    if (value === undefined && type !== 'boolean')
      throw new UsageError(`--${name} needs a value; one that begins with -- is given as --${name}=VALUE.`)
    values[name] = valueOf(parameter, value ?? 'true')
  }
  const missing = parameters.filter(({ name, isRequired }) => isRequired && !(name in values))
  if (missing.length > 0)
    throw new UsageError(
      `${path.slice(1)} needs ${missing.map(({ name }) => `--${name}`).join(' and ')}. See \`rookery api ${path.slice(1)} --help\`.`,
    )
  return values
}

function valueOf({ name, type, isSecret }: Parameter, value: string): string | File {
  if (!(isSecret || FROM_FILE.includes(type)) || !value.startsWith('@')) {
    if (isSecret)
      throw new UsageError(
        `--${name} is a secret, and every user of this machine can read arguments: give it as --${name} @PATH, or as --${name} @- from the standard input.`,
      )
    if (type !== 'file') return value
    throw new UsageError(`--${name} is a file: give its path as --${name} @PATH.`)
  }
  const path = value.slice(1)
  let bytes: Buffer
  try {
    bytes = readFileSync(path === '-' ? 0 : path)
  } catch (error) {
    throw new UsageError(`--${name}: ${(error as Error).message}`)
  }
  if (type !== 'file') return bytes.toString('utf8').replace(/\n$/, '')
  return new File([new Uint8Array(bytes)], path === '-' ? 'stdin' : basename(path))
}

function unknownParameter(spelled: string, path: string, parameters: readonly Parameter[]): string {
  const names = parameters.map(({ name }) => name)
  const similar = suggest(spelled.replaceAll('-', '_'), names)
  const flags = (list: readonly string[]): string => list.map((name) => `--${name}`).join(', ')
  const hint = similar.length > 0 ? `Similar: ${flags(similar)}` : `It takes ${flags(names) || 'none'}`
  return `${path.slice(1)} has no parameter --${spelled.slice(0, 60)}. ${hint}.`
}
