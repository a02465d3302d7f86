// Malformed requests, made from the contract: each names a real operation and is wrong in one way or several.
import { fillExample } from '@rookery/contract/examples.ts'
import { groups } from '@rookery/contract/groups.gen.ts'
import type { Group, Operation } from '@rookery/contract/operation.ts'
import { ADMIN } from '../../rig/scenes/console.ts'
import type { Dice } from './dice.ts'

export interface Malformed {
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  /** What is wrong with it, to find the cause of a failure. */
  readonly wrong: string
}

/** Those that would end the conversation are left out. */
const OPERATIONS: readonly Operation[] = Object.values<Group>(groups)
  .flatMap((group) => Object.values(group))
  .filter(({ path }) => path !== '/settings/api/disable')

const VALUES: readonly Buffer[] = [
  '', ' ', '0', '-1', '1.5', '1e999', 'NaN', '99999999999999999999', '0x10', 'true', 'null', '[]', '{}', '[[[[', '{"a":', '"',
  '__proto__', 'constructor', 'flock:default', 'flock:', 'incident:sshlogin:0:0:0', "' OR 1=1 --", '%', '%00', '%zz', '../../etc/passwd',
  '::1', '0.0.0.0/0', '999.1.1.1', '10.0.0.0/99', '1h', '-5d', '2026-13-99-99:99:99', 'Mars/Olympus', 'http://127.0.0.1:1/', 'file:///etc/passwd',
  'javascript:alert(1)', '\u202e\u0000\u001b[2J', '\n\r\n{"level":60}', '=cmd|x', '🐦'.repeat(300), 'a,'.repeat(2_000), '1\n'.repeat(2_000), 'x'.repeat(12_000),
].map((text) => Buffer.from(text)) // prettier-ignore

/** No text at all: broken in the middle of a character, overlong, half a pair, a byte order mark. */
const BYTES: readonly Buffer[] = ['fffe', 'c0af', 'eda080', 'f4908080', 'e282', 'efbbbf41', '80', '00'].map(
  (hex) => Buffer.from(hex, 'hex'),
)

const FORMS = ['query', 'form', 'JSON', 'multipart'] as const
/** Mostly a good one: who is refused at the door tests the door alone. */
const KEYS: readonly string[] = [
  ...Array.from({ length: 40 }, () => ADMIN),
  '',
  'f'.repeat(32),
  `${ADMIN}${ADMIN}`,
  'é',
  "' OR 1=1",
]

/** One more, by the dice; the same dice give the same. `cursors` are real ones, to be forged. */
export function makeMalformed(dice: Dice, cursors: readonly string[]): Malformed {
  const pick = <T>(list: readonly T[]): T => list[dice.between(0, list.length - 1)] as T
  const operation = pick(OPERATIONS)
  const names = Object.keys(operation.params.properties as object)
  const wrong: string[] = []
  let pairs = Object.entries(fillExample(operation.example)).map(([name, value]): [string, Buffer] => [
    name,
    // No name is looked up, and no host is called.
    Buffer.from(String(value).replace(/[\w-]+\.example\.(com|org)/g, '127.0.0.1')),
  ])
  const value = (): Buffer => {
    const die = dice.between(0, 19)
    if (die === 0) return pick(BYTES)
    if (die === 1) return Buffer.from(forged(dice, pick(cursors.length > 0 ? cursors : ['v1.AAAA'])))
    if (die === 2) return Buffer.from(Array.from({ length: dice.between(1, 60) }, () => dice.between(0, 255)))
    return pick(VALUES)
  }
  for (let faults = dice.between(1, 3); faults > 0; faults--) {
    const name = names.length > 0 ? pick(names) : pick(['limit', '__proto__', ''])
    switch (dice.between(0, 6)) {
      case 0:
        pairs = pairs.filter(([it]) => it !== name)
        wrong.push(`no ${name}`)
        break
      case 1:
        pairs.push([name, value()], [name, value()])
        wrong.push(`${name} more than once`)
        break
      case 2:
        pairs.push(['cursor', value()])
        wrong.push('a cursor')
        break
      case 3:
        if (dice.between(0, 400) > 0) break
        pairs = [
          ...pairs.filter(([it]) => it !== name),
          [name, Buffer.alloc(dice.between(100_000, 5_000_000), 'x')],
        ]
        wrong.push(`a huge ${name}`)
        break
      case 4:
        pairs.push([pick(['__proto__', 'toString', 'a'.repeat(500), '', 'limit[]', 'auth_token']), value()])
        wrong.push('a parameter that there is not')
        break
      default:
        pairs = [...pairs.filter(([it]) => it !== name), [name, value()]]
        wrong.push(`a wrong ${name}`)
    }
  }
  const isHuge = pairs.some(([, it]) => it.length > 4_000)
  const form = isHuge ? pick(FORMS.slice(1)) : pick(FORMS)
  let { body, type } = encode(form, pairs, dice)
  if (dice.between(0, 9) === 0) {
    type = pick([
      'text/plain',
      'application/xml',
      'application/json; charset=utf-7',
      'multipart/form-data',
      'multipart/form-data; boundary=',
      'a/b/c',
      '\u00ff',
    ])
    wrong.push(`content type ${type}`)
  }
  if (body.length > 2 && dice.between(0, 9) === 0) {
    body = body.subarray(dice.between(0, 1), dice.between(1, body.length - 1))
    wrong.push('torn')
  }
  if (body.length > 0 && dice.between(0, 9) === 0) {
    body = Buffer.from(body)
    for (let n = 0; n < 3; n++) body[dice.between(0, body.length - 1)] = dice.between(0, 255)
    wrong.push('bytes changed')
  }
  const key = pick(KEYS)
  const method =
    dice.between(0, 11) === 0
      ? pick(['GET', 'POST', 'DELETE', 'PUT', 'PATCH', 'OPTIONS', 'HEAD'])
      : operation.method
  const tail = dice.between(0, 40) === 0 ? pick(['/', '//', '/%2e%2e', '%ff', ';x', '%00', '/x']) : ''
  const query = form === 'query' ? `?${body.toString('latin1')}` : ''
  return {
    method,
    path: `/api/v1${operation.path}${tail}${query}`.replace(/[^\x21-\x7e]/g, '%'),
    headers: {
      ...(key !== '' && {
        ...(dice.between(0, 3) === 0 ? { Authorization: `Bearer ${key}` } : { 'X-Auth-Token': key }),
      }),
      ...(form !== 'query' && { 'Content-Type': type }),
    },
    body: form === 'query' ? Buffer.alloc(0) : body,
    wrong: `${operation.method} ${operation.path} as ${form}: ${wrong.join(', ')}`,
  }
}

/** A cursor with a few of its characters changed, cut, or doubled. */
function forged(dice: Dice, cursor: string): string {
  const at = dice.between(0, cursor.length - 1)
  switch (dice.between(0, 3)) {
    case 0:
      return cursor.slice(0, at)
    case 1:
      return cursor + cursor
    case 2:
      return cursor.slice(0, at) + (cursor[at] === 'A' ? 'B' : 'A') + cursor.slice(at + 1)
    default:
      return cursor.split('').reverse().join('')
  }
}

function encode(
  form: (typeof FORMS)[number],
  pairs: readonly [string, Buffer][],
  dice: Dice,
): { body: Buffer; type: string } {
  const percent = (bytes: Buffer): string => bytes.toString('hex').replace(/../g, '%$&')
  switch (form) {
    case 'query':
    case 'form':
      return {
        body: Buffer.from(
          pairs.map(([name, value]) => `${encodeURIComponent(name)}=${percent(value)}`).join('&'),
        ),
        type: 'application/x-www-form-urlencoded',
      }
    case 'JSON':
      return {
        body: Buffer.from(
          `{${pairs.map(([name, value]) => `${JSON.stringify(name)}:${asJson(value, dice)}`).join(',')}}`,
          'latin1',
        ),
        type: 'application/json',
      }
    case 'multipart':
      return {
        body: Buffer.concat([
          ...pairs.flatMap(([name, value]) => [
            Buffer.from(
              `--b\r\nContent-Disposition: form-data; name="${name}"${dice.between(0, 5) === 0 ? '; filename="../x\0.exe"\r\nContent-Type: ??' : ''}\r\n\r\n`,
            ),
            value,
            Buffer.from('\r\n'),
          ]),
          Buffer.from('--b--\r\n'),
        ]),
        type: 'multipart/form-data; boundary=b',
      }
  }
}

/** The value as a text, or as something else that JSON has. */
function asJson(value: Buffer, dice: Dice): string {
  const text = JSON.stringify(value.toString('latin1'))
  switch (dice.between(0, 9)) {
    case 0:
      return '[' + text + ',1,null,true]'
    case 1:
      return `{"bytes":${text},"__proto__":{"a":1}}`
    case 2:
      return (
        ['null', 'true', '-1', '1e308', '[]', '{}', '"\\ud800"', '"\\u0000"'][dice.between(0, 7)] ?? 'null'
      )
    default:
      return text
  }
}
