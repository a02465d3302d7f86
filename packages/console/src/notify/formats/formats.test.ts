// Each format: what is sent is taken by a judge of the service's published rules, and is text and no more.
import { describe, expect, it } from 'vitest'
import type { Fault } from '@rookery/kernel/fault.ts'
import { chatJudges } from '../../../test/chat-judges.ts'
import { texts } from '../../../test/hostile.ts'
import { ACTING, forEachHostileMessage, hostileMessages } from '../../../test/hostile-messages.ts'
import { alertPayload, PAYLOAD_FIELDS } from '../message/payload.ts'
import { chatResult } from './answer.ts'
import { defanged } from './defanged.ts'
import { chatFormats, formatAt } from './formats.ts'
import { checkedTemplate, fillTemplate } from './template.ts'

const CONSOLE_URL = 'https://rookery.example.com/'
const PIECES = [
  '<',
  '>',
  '&',
  '`',
  '*',
  '_',
  '@all',
  '#a',
  '\n',
  '{{',
  '${',
  '://',
  'a.test',
  '|',
  '[',
  ']',
  ')',
  '"',
]

describe.each([...chatFormats])('the format %s', (name, format) => {
  const service = chatJudges[name]
  it('is taken by its service, mentions nobody, links to nothing but the console and formats nothing', () => {
    if (!service) throw new Error(`No judge of ${name}.`)
    const given = new URL(service.url)
    forEachHostileMessage(
      (message) => {
        const json = JSON.parse(JSON.stringify(format.body(message, given))) as Record<string, unknown>
        const url = new URL(format.at ? format.at(new URL(given)) : given)
        expect(service.judge({ url, json })).toMatchObject({
          status: 200,
          body: expect.not.stringMatching('failed'),
        })
        expect(service.acts(json, CONSOLE_URL)).toEqual([])
        for (const text of texts(json)) expect(text.replace(/[\t\n]/g, '')).not.toMatch(ACTING)
      },
      { consoleUrl: CONSOLE_URL, pieces: PIECES },
    )
  })

  it('is chosen by the URL that the service gives', () => {
    expect(formatAt(service?.url ?? 'https://x.test/')?.name).toBe(name)
  })
})

it('no other URL is taken for a chat', () => {
  for (const url of [
    'https://alerts.example.com/hooks/rookery',
    'https://hooks.slack.com.evil.test/services/T0/B0/x',
    'https://discord.com/api/users/1',
    'https://ntfy.sh.evil.test/x',
  ])
    expect([url, formatAt(url)]).toEqual([url, undefined])
})

describe('a template', () => {
  const TEMPLATE =
    '{"text":"{{Description}} from {{ SourceIP }}","port":{{BirdPort}},"all":{{AdditionalDetails}},"{{AlertType}}":"{{AdditionalDetails}}"}'

  it('stays the JSON that it is, whatever its values say', () => {
    forEachHostileMessage(
      (message) => {
        const filled = JSON.parse(fillTemplate(checkedTemplate(TEMPLATE), message)) as Record<string, unknown>
        expect(Object.keys(filled).slice(0, 3)).toEqual(['text', 'port', 'all'])
        expect(Object.keys(filled)).toHaveLength(4)
        expect(filled['text']).toContain(message.description.slice(0, 4_000 - 1))
      },
      { consoleUrl: CONSOLE_URL, pieces: ['"', '\\', '{{', '}}', '{{Intro}}', '$&', "$'", '\n'] },
    )
  })

  it('has places for every field of every message', () => {
    const sent = hostileMessages('x', CONSOLE_URL).flatMap((message) => Object.keys(alertPayload(message)))
    expect([...new Set(sent)].sort()).toEqual(PAYLOAD_FIELDS)
  })

  it.each([
    ['{"a":"{{Nothing}}"}', /has \{\{Nothing\}\}; a place is one of AdditionalDetails, .*Triggered/],
    ['{"a":"{{7*7}}"}', /has \{\{7\*7\}\}/],
    ['{"a":{{Description}}', /must be JSON once its places are filled/],
    ['{{{Description}}:1}', /must be JSON/],
    ['', /must be JSON/],
    [`["${'{{Intro}}'.repeat(101)}"]`, /has 101 places; it may have 100/],
  ])('that cannot be filled is refused: %s', (template, reason) => {
    let details: unknown
    try {
      checkedTemplate(template)
    } catch (error) {
      details = (error as Fault).details
    }
    expect(JSON.stringify(details)).toMatch(reason)
  })
})

it('what a program makes a link of is none any more; addresses and versions stay', () => {
  expect(defanged('https://a.evil.test/x?y=1 mail a@b.example 10.0.0.1 OpenSSH_8.9p1')).toBe(
    'https[:]//a[.]evil[.]test/x?y=1 mail a@b[.]example 10.0.0.1 OpenSSH_8.9p1',
  )
})

it('an answer says how long to wait, in its header or in its body, or not at all', () => {
  const wait = (body: string, headers = {}): number =>
    chatResult({ status: 429, headers, body }, 0).retryAfterMs
  expect(wait('', { 'retry-after': '7' })).toBe(7_000)
  expect(wait('{"message":"You are being rate limited.","retry_after":0.65,"global":false}')).toBe(650)
  for (const body of ['', 'rate_limited', '{"retry_after":"soon"}', '{"retry_after":1e9}', '[1]'])
    expect(wait(body)).toBe(0)
})
