import { expect, it } from 'vitest'
import { forEachHostileMessage } from '../../../../test/hostile-messages.ts'
import { fieldsOf, namedFields } from '../../message/fields.ts'
import { FORMATS, syslogMessage } from './line.ts'

/** RFC 5424, 6: header, structured data, and the message behind them. */
const SYSLOG =
  /^<(\d{1,3})>1 (\S+) ([!-~]{1,255}) rookery - ([!-~]{1,32}) (\[(?:[^"\]]|"(?:[^"\\\]]|\\.)*")*\]\[(?:[^"\]]|"(?:[^"\\\]]|\\.)*")*\]) (.*)$/su
const PIECES = ['"', '\\', ']', '=', '|', '\n', '\t', '\r\n', '<13>1 ', '\ufeff', '[a b="c"]', 'CEF:0|']

it.each(FORMATS)(
  'whatever an intruder writes, a message in the format %s is one line that reads as it was meant',
  (format) => {
    forEachHostileMessage(
      (message) => {
        const bytes = syslogMessage(message, 'msg_1', { format, passwords: true })
        const line = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
        expect(bytes.length).toBeLessThanOrEqual(8_192)
        expect(line).not.toMatch(/[\u0000-\u0008\n-\u001f\u007f]/)
        const parts = SYSLOG.exec(line)
        expect(parts, line).not.toBeNull()
        const [, , at = '', , msgid = '', structured = '', text = ''] = parts ?? []
        // Short enough to be whole.
        const fields = fieldsOf(message, 'msg_1', true)
        const isWhole = Object.values(fields).every((it) => typeof it !== 'string' || it.length <= 20)
        expect(new Date(at).getTime()).toBe(fields.at)
        expect(msgid).toBe(fields.logtype || fields.subject)
        if (isWhole) expect(readBack[format](structured, text)).toEqual(meant[format](fields))
      },
      { consoleUrl: 'https://rookery.example.com/', pieces: PIECES },
    )
  },
)

type Facts = Readonly<Record<string, string>>
type Fields = ReturnType<typeof fieldsOf>

const oneLine = (text: string): string => text.replace(/[\s\u0000-\u001f\u007f]+/g, ' ').trim()
const blank = (text: string): string => text.replace(/\s+/g, ' ').replaceAll('|', '\u00a6')
const named = (fields: Fields, schema: 'cef' | 'leef', spell: (text: string) => string): Facts =>
  Object.fromEntries(namedFields(fields, schema).map(([name, value]) => [name, spell(String(value))]))

/** What of a message is sent, in each format. */
const meant: Readonly<Record<(typeof FORMATS)[number], (fields: Fields) => unknown>> = {
  plain: (fields) => named(fields, 'leef', oneLine),
  cef: (fields) => [fields.user, fields.flockName],
  leef: (fields) => [blank(fields.user), blank(fields.flockName)],
  ecs: (fields) => [fields.name, fields.user || undefined],
  ocsf: (fields) => [fields.name, fields.user || undefined],
}

/** The same, read from the line by the rules of the format. */
const readBack: Readonly<Record<(typeof FORMATS)[number], (structured: string, text: string) => unknown>> = {
  plain(structured) {
    const params = [...structured.matchAll(/ (\w+)="((?:[^"\\\]]|\\.)*)"/gsu)].map(
      ([, name = '', value = '']) => [name, value.replace(/\\(.)/gs, '$1')] as const,
    )
    const own = params.filter(([name]) => !['software', 'swVersion', 'messageId'].includes(name))
    return Object.fromEntries(own)
  },
  cef(_structured, text) {
    const [, extension = ''] = /^CEF:0\|(?:(?:[^|\\]|\\.)*\|){6}(.*)$/su.exec(text) ?? []
    const pairs = [...extension.matchAll(/(?:^| )(\w+)=((?:[^=\\]|\\.)*)(?= \w+=|$)/gsu)]
    const read = new Map(
      pairs.map(([, name, value = '']) => [
        name,
        value.replace(/\\(.)/gs, (_, it: string) => (it === 'n' ? '\n' : it)),
      ]),
    )
    return [read.get('suser') ?? '', read.get('cs4') ?? '']
  },
  leef(_structured, text) {
    const [head = '', ...rest] = text.split('|x09|')
    expect(head.split('|')).toHaveLength(5)
    const read = new Map(
      rest
        .join('|x09|')
        .split('\t')
        .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
    )
    return [read.get('usrName') ?? '', read.get('flockName') ?? '']
  },
  ecs(_structured, text) {
    const read = JSON.parse(text) as { event: { action: string }; user?: { name: string } }
    return [read.event.action, read.user?.name]
  },
  ocsf(_structured, text) {
    const read = JSON.parse(text) as {
      finding_info: { title: string }
      evidences?: { actor?: { user: { name: string } } }[]
    }
    return [read.finding_info.title, read.evidences?.[0]?.actor?.user.name]
  },
}
