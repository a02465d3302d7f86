import { Fault } from '@rookery/kernel/fault.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { TokenSettingDescriptor } from './descriptor.ts'
import { readGivenSettings, readSettings, rulesOf, type TokenSettings } from './settings.ts'

const description = 'A setting of a test'
const kind = {
  kind: 'test-kind',
  settings: {
    title: { type: 'text', description, maxLength: 5, default: 'none' },
    process_name: { type: 'text', description, characters: 'A-Za-z0-9_.-' },
    target: { type: 'url', description, required: true },
    page: { type: 'boolean', description, default: true },
    document: { type: 'file', description, maxBytes: 4, formats: ['docx', 'pdf'] },
    site: { type: 'domain', description },
    app: { type: 'choice', description, choices: ['gitea', 'jira'] },
    users: { type: 'list', description, maxItems: 3, maxLength: 8 },
    expiry: { type: 'duration', description, min: '12h', max: '2y' },
  },
} as const satisfies { kind: string; settings: Record<string, TokenSettingDescriptor> }

const target = 'https://a.example/'
const file = (size: number) => ({
  filename: 'a.docx',
  contentType: 'text/plain',
  bytes: new TextEncoder().encode('PK\x03\x04'.padEnd(size).slice(0, size)),
})
const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
const HOUR_MS = 3_600_000

/** The fault's message and its reason for the setting. */
function refusal(name: string, value: unknown): unknown[] {
  try {
    readSettings(kind, { target, [name]: value })
  } catch (error) {
    if (error instanceof Fault) return [error.code, error.message, error.details?.[name]]
    throw error
  }
  return []
}

describe('the settings of a kind', () => {
  it('are read as their types say, with defaults, without what the kind does not know', () => {
    expect(readSettings(kind, { target, unknown: 1 })).toEqual({ target, title: 'none', page: true })
    const given: TokenSettings = {
      title: 'añb',
      process_name: 'cmd.exe',
      target: 'http://127.0.0.1:8080/x?y',
      page: false,
      document: file(4),
      site: 'Intranet.Example.COM.',
      app: 'jira',
      users: ' ann, bob,ann,, ',
      expiry: '30d',
    }
    expect(readSettings(kind, given)).toEqual({
      ...given,
      document: { ...file(4), contentType: DOCX },
      site: 'intranet.example.com',
      users: ['ann', 'bob'],
      expiry: 30 * 24 * HOUR_MS,
    })
    expect(readSettings(kind, { target, users: ['ann', 'bob'] })).toMatchObject({ users: ['ann', 'bob'] })
  })

  it('that are missing or wrong are refused by name, each with what would be right', () => {
    const wrong: [name: string, value: unknown, reason: string | RegExp][] = [
      ['target', undefined, 'is required for the kind test-kind'],
      [
        'target',
        'javascript:alert(1)',
        /^must be an absolute http or https URL .* not "javascript:alert\(1\)"$/,
      ],
      ['target', '/relative', /absolute/],
      ['target', `https://a.example/${'a'.repeat(2_048)}`, /of at most 2048 characters/],
      ['title', 'longer', 'must be one line of 1 to 5 characters, not "longer"'],
      ['title', 'a\nb', /one line/],
      ['title', '', /one line/],
      ['title', 7, /not 7$/],
      ['process_name', 'a b', 'must be of the characters A-Za-z0-9_.-, not "a b"'],
      ['process_name', 'cmd"&calc', /of the characters/],
      ['page', 'yes', 'must be true or false, not "yes"'],
      ['document', 'text', 'must be a file, sent as multipart/form-data, not "text"'],
      ['document', {}, /must be a file/],
      ['document', file(0), 'must be a file that is not empty'],
      ['document', file(5), 'must be a file of at most 4 bytes, not 5'],
      [
        'document',
        file(3),
        'must be a file of the format docx, pdf, not one that begins with "PK.": save it as docx with Word, Excel or LibreOffice, and without a password',
      ],
      ['site', 'a b', 'must be a domain name such as files.example.com, not "a b"'],
      ['site', 'file:///a.example', /domain name/],
      ['site', 'javascript:alert(1)', /domain name/],
      ['site', 'a.example,b.example', /domain name/],
      ['site', '*.*.example', /domain name/],
      ['site', '-a.example', /domain name/],
      ['site', `${'a'.repeat(64)}.example`, /domain name/],
      ['site', `${'a.'.repeat(130)}example`, /domain name/],
      ['app', 'Jira', 'must be one of gitea, jira, not "Jira"'],
      ['app', 'constructor', /one of/],
      ['users', ' , ', /^must be a list of texts, separated by commas/],
      ['users', 'a,b,c,d', 'must be at most 3 texts, not 4'],
      [
        'users',
        'ann,somebody-else',
        /^must be a list, each item one line of 1 to 8 characters, not "somebody-else"$/,
      ],
      ['users', ['ann', 5], /not 5$/],
      [
        'expiry',
        '11h',
        'must be a duration from 12h to 2y, with the units y, mo, w, d, h, such as 30d, not "11h"',
      ],
      ['expiry', '3y', /from 12h to 2y/],
      ['expiry', '30', /such as 30d/],
      ['expiry', '0d', /such as 30d/],
      ['expiry', 5, /such as 30d/],
    ]
    for (const [name, value, reason] of wrong)
      expect([name, value, ...refusal(name, value)]).toEqual([
        name,
        value,
        'bad-input',
        value === undefined ? `Parameter ${name} is required.` : `Parameter ${name} was invalid.`,
        typeof reason === 'string' ? reason : expect.stringMatching(reason),
      ])
  })

  it('take the host of what people paste', () => {
    const pasted = [
      ...['files.example.com', 'FILES.example.com.', ' files.example.com ', '*.files.example.com'],
      ...[
        'https://files.example.com',
        'http://files.example.com:8443/login?next=/#top',
        'files.example.com:443',
      ],
      ...['//files.example.com/', 'https://*.files.example.com/*', 'https://anna@files.example.com/'],
    ]
    for (const site of pasted)
      expect([site, readGivenSettings(kind, { site })]).toEqual([site, { site: 'files.example.com' }])
    expect(readGivenSettings(kind, { site: 'https://Bücher.example/' })).toEqual({
      site: 'xn--bcher-kva.example',
    })
  })

  it('are refused together, so that a caller mends all of them at once', () => {
    const read = () => readSettings(kind, { app: 'x', site: '' })
    expect(read).toThrow('Parameter site was invalid.')
    expect(read).toThrow(
      expect.objectContaining({
        details: {
          app: expect.any(String) as string,
          site: expect.any(String) as string,
          target: expect.any(String) as string,
        },
      }),
    )
  })

  it('that are changed are read alone: what is required or has a default is left as it is', () => {
    expect(readGivenSettings(kind, { expiry: '1mo', memo: 'x', app: undefined, title: null })).toEqual({
      expiry: 30 * 24 * HOUR_MS,
    })
    expect(() => readGivenSettings(kind, { target: 'x' })).toThrow('Parameter target was invalid.')
  })

  it('are a value or a bad-input, whatever is given', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...Object.keys(kind.settings)), fc.anything()), (given) => {
        try {
          expect(Object.keys(kind.settings)).toEqual(
            expect.arrayContaining(Object.keys(readSettings(kind, given))),
          )
        } catch (error) {
          expect(error).toMatchObject({ code: 'bad-input' })
        }
      }),
    )
  })

  it('have rules that can be read as words', () => {
    expect(Object.values(kind.settings).map(rulesOf)).toEqual([
      'at most 5 characters',
      'at most 2048 characters of A-Za-z0-9_.-',
      'absolute, http or https',
      '',
      'docx, pdf of at most 4 bytes',
      'a domain name',
      'one of gitea, jira',
      'at most 3, separated by commas',
      'from 12h to 2y, with the units y, mo, w, d, h',
    ])
  })
})
