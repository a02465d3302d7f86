// `rookery api` without a console: the meaning of its arguments, errors in them, and how answers are printed.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { anyCharacter } from '@rookery/kernel/test/any-character.ts'
import { listOperations, type ListedOperation } from '@rookery/sdk/operations.ts'
import { COMMAND_FLAGS, parseCommandLine } from './command-line.ts'
import { findOperation } from './find-operation.ts'
import { commandLine, listHelp, operationHelp } from './help.ts'
import { readParameters } from './parameters.ts'
import { printableJson, printableText } from './printable.ts'

const operations = listOperations()

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rookery-api-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

/** Splits a line as a shell does, with single quotes. */
const split = (line: string): string[] =>
  [...line.matchAll(/(?:'[^']*'|\\.|[^\s'\\])+/g)].map(([word]) =>
    word.replace(/'([^']*)'|\\(.)/g, (_, quoted?: string, escaped?: string) => quoted ?? escaped ?? ''),
  )

describe.each(operations.map((operation) => [operation.id, operation] as const))('%s', (_id, operation) => {
  it('is found by its path and by each alias, with or without /api/v1/', () => {
    for (const path of [operation.path, ...operation.aliases])
      for (const spelled of [path, path.slice(1), `/api/v1${path}/`])
        expect(findOperation(operations, spelled, [], operation.method).id).toBe(operation.id)
  })

  it('has a help page that names each parameter, and an example with the parameters of the contract', () => {
    const help = operationHelp(operation)
    for (const { name } of operation.parameters) expect(help).toContain(`--${name} `)
    const parsed = parseCommandLine(split(commandLine(operation)).slice(2))
    expect(parsed.path).toBe(operation.path.slice(1))
    const asTexts = Object.fromEntries(
      Object.entries(operation.example).map(([name, it]) => [name, String(it)]),
    )
    const folder = temporaryFolder()
    const given = parsed.parameters.map(([name, value]): [string, string | undefined] => {
      if (value !== `@${name}`) return [name, value]
      writeFileSync(join(folder, name), asTexts[name] ?? '')
      return [name, `@${join(folder, name)}`]
    })
    expect(readParameters(operation, given)).toEqual(asTexts)
  })

  it('has no parameter with the name of a flag of the command', () => {
    const flags = [...Object.keys(COMMAND_FLAGS), 'help', 'json']
    const spellings = operation.parameters.flatMap(({ name }) => [name, name.replaceAll('_', '-')])
    expect(spellings.filter((name) => flags.includes(name))).toEqual([])
  })
})

it('the list names every operation under the title of its group', () => {
  const help = listHelp(operations)
  for (const { path, title, group } of operations) {
    expect(help).toMatch(
      new RegExp(`^  ${path.slice(1)} +${title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`, 'm'),
    )
    expect(help).toContain(`\n${group.title}\n`)
  }
})

describe('errors in the arguments', () => {
  const read = (...args: string[]) => {
    const { path = '', parameters, flags } = parseCommandLine(args)
    return readParameters(findOperation(operations, path, [], flags.method), parameters)
  }
  it.each([
    [['incidents/serch'], 'Similar:\n  incidents/search'],
    [['flock/note', '--flok-id', 'x'], 'flock/note has no parameter --flok-id. Similar: --flock_id.'],
    [['flock/note'], 'flock/note needs --flock_id.'],
    [['flock/note', '--flock_id'], '--flock_id needs a value'],
    [['flock/note', '--flock_id', 'a', '--flock-id', 'b'], '--flock_id is given twice'],
    [['flock/note', 'flock:default'], 'one argument too many'],
    [['flock/note', '-f', 'x'], 'There is no -f'],
    [['flock/note', '--method', 'delete'], 'flock/note takes GET, not DELETE.'],
    [['ping', '--limit', '3'], 'ping has no parameter --limit. It takes none.'],
    [['ping', '--output='], '--output needs a value.'],
  ])('%j', (args, message) => expect(() => read(...args)).toThrow(message))

  it('a file must be given as @PATH, and exist', () => {
    const doc = { name: 'doc', type: 'file', choices: [], isRequired: false, default: undefined } as const
    const operation = {
      ...findOperation(operations, 'ping', [], undefined),
      parameters: [{ ...doc, bounds: '', description: 'A document', isSecret: false }],
    }
    const given = (path: string) => () => readParameters(operation, [['doc', path]])
    expect(given('a.docx')).toThrow('--doc is a file: give its path as --doc @PATH.')
    expect(given('@/nowhere/a.docx')).toThrow('ENOENT')
  })

  it('a certificate may be given as @PATH, as people have it', () => {
    const path = join(temporaryFolder(), 'ca.pem')
    writeFileSync(path, '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n')
    const given = ['--flock_id', 'flock:default', '--host', '192.0.2.1', '--ca', `@${path}`]
    expect(read('flock/settings/webhooks/syslog/add', ...given)['ca']).toBe(
      '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----',
    )
  })

  it('a secret must be given as @PATH: every user of the machine sees arguments', () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'password'), 'kestrel over the harbour\n')
    const password = `@${join(folder, 'password')}`
    expect(read('user/create', '--email', '@ann', '--password', password)).toEqual({
      email: '@ann',
      password: 'kestrel over the harbour',
    })
    expect(() => read('user/create', '--email', '@ann', '--password', 'kestrel')).toThrow(
      '--password is a secret, and every user of this machine can read arguments: give it as --password @PATH',
    )
    expect(() => read('user/create', '--email', 'ann', '--password', '@/nowhere')).toThrow(
      '--password: ENOENT',
    )
  })

  const secrets = operations.flatMap((operation) =>
    operation.parameters
      .filter(({ isSecret }) => isSecret)
      .map((parameter): [string, ListedOperation] => [
        parameter.name,
        { ...operation, parameters: [parameter] },
      ]),
  )
  it.each(secrets)('the secret %s is taken from a file alone, whatever its type', (name, operation) => {
    const path = join(temporaryFolder(), 'secret')
    writeFileSync(path, '{"Authorization":"Bearer s3cret"}\n')
    expect(() => readParameters(operation, [[name, '{"Authorization":"Bearer s3cret"}']])).toThrow(
      `give it as --${name} @PATH`,
    )
    expect(readParameters(operation, [[name, `@${path}`]])[name]).toBe('{"Authorization":"Bearer s3cret"}')
    const types = new Set(secrets.map(([, { parameters }]) => parameters[0]?.type))
    expect(types).toEqual(new Set(['text', 'object', 'lines']))
  })

  it('a value may begin with hyphens, contain an equals sign, or be a negative number', () => {
    expect(read('flock/note/add', '--flock_id=a=b', '--note=--x')).toEqual({ flock_id: 'a=b', note: '--x' })
    expect(read('incidents/all', '--incidents-since', '-1')).toEqual({ incidents_since: '-1' })
    expect(read('device/info', '--settings', '--node_id', 'n')).toEqual({ settings: 'true', node_id: 'n' })
  })
})

describe('text of an intruder, printed', () => {
  const hostile = fc.string({ unit: anyCharacter, maxLength: 40 })
  const harmless = /^[^\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069]*$/

  it('as JSON: the same JSON, without a character that a terminal obeys', () => {
    fc.assert(
      fc.property(hostile, fc.constantFrom(0, 2), (text, indent) => {
        const printed = printableJson({ [text]: [text] }, indent)
        expect(JSON.parse(printed)).toEqual({ [text]: [text] })
        expect(printed).toMatch(harmless)
        expect(printed).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/)
      }),
    )
    expect(printableJson({ a: '\u001b]0;x\u0007\u009b2J\u202e' }, 0)).toBe(
      String.raw`{"a":"\u001b]0;x\u0007\u009b2J\u202e"}`,
    )
  })

  it('as text: the same lines, with unsafe characters as escapes', () => {
    expect(printableText('a\tb\nc\r\u001b[2J\u202e')).toBe('a\tb\nc' + String.raw`\u000d\u001b[2J\u202e`)
  })
})
