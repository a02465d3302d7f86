import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { DnsVisit } from '../../channels/dns/visit.ts'
import type { PostgresVisit } from '../../channels/postgres/visit.ts'
import { readSettings } from '../../settings.ts'
import { descriptor } from './descriptor.ts'
import { lookedUp } from './payload.ts'
import kind from './token.ts'

const ID = 'abcdefghijklmnopqrstuvwxy'
const addressIn = (domain: string) => ({
  tokenId: ID,
  url: `http://${domain}/${ID}/x`,
  hostname: `${ID}.${domain}`,
  postgres: { host: `${ID}.${domain}`, port: 5_433 },
})
const address = addressIn('t.example')
const rendersOf = (given = {}, at = address): Readonly<Record<string, string>> =>
  kind.renders(at, readSettings(descriptor, given))

const look = (name: string): DnsVisit => ({
  channel: 'dns',
  qname: `${name}.${ID}.t.example`,
  qtype: 'A',
  network: '192.0.2.0/24',
  isNx: false,
  labels: name === '' ? [] : name.split('.'),
  srcHost: '192.0.2.7',
  dstPort: 53,
  headers: {},
})
const login = (applicationName: string): PostgresVisit => ({
  channel: 'postgres',
  user: ID,
  database: 'payroll',
  applicationName,
  srcHost: '192.0.2.7',
  dstPort: 5_433,
  headers: {},
})

/** What the scripts do, step by step, in the integers of SQL Server. */
function labelOf(text: string): string {
  let label = ''
  let value = 0
  let bits = 0
  const digit = (index: number): string => 'abcdefghijklmnopqrstuvwxyz234567'[index] ?? ''
  for (const unit of text.split('')) {
    const code = unit.charCodeAt(0)
    value = value * 256 + (code > 126 ? 63 : code)
    for (bits += 8; bits >= 5; label += digit(Math.trunc(value / 2 ** bits) % 32)) bits -= 5
    value %= 2 ** bits
  }
  return bits > 0 ? label + digit(value * 2 ** (5 - bits)) : label
}

describe('the scripts for SQL Server', () => {
  it('are those of the golden file', () => {
    const { view, function: scalar, trigger } = rendersOf({ sql_name: 'wages', sql_table: 'Order Details' })
    const golden = readFileSync(new URL('./golden/t-sql.sql', import.meta.url), 'utf8')
    expect(`${view}\n${scalar}\n${trigger}`).toBe(golden)
  })

  it('keep the path to 128 characters and its label to 63, and leave room for a user, up to the longest domain', () => {
    for (const length of [4, 20, 37, 59, 60]) {
      const domain = `${'d'.repeat(length - 2)}.x`.replace(/^(d{30})d/, '$1.')
      const at = addressIn(domain)
      const { view = '' } = rendersOf({}, at)
      const characters = Number(/RIGHT\(ORIGINAL_LOGIN\(\), (\d+)\)/.exec(view)?.[1])
      const label = labelOf(`s${'u'.repeat(characters)}`)
      expect(characters).toBeGreaterThanOrEqual(20)
      expect(label.length).toBeLessThanOrEqual(63)
      expect(`\\\\${label}.00.${at.hostname}\\a`.length).toBeLessThanOrEqual(128)
    }
  })

  it('are refused for a domain that leaves no room, by the parameter', () => {
    const domain = `${'d'.repeat(50)}.example.org`
    expect(domain).toHaveLength(62)
    expect(() => rendersOf({}, addressIn(domain))).toThrow('too long for SQL Server')
  })

  it('have a trigger for a table alone', () => {
    expect(Object.keys(rendersOf())).toEqual(['view', 'function', 'postgresql'])
    expect(rendersOf({ sql_schema: 'hr', sql_table: 'staff' })['trigger']).toContain(
      'CREATE TRIGGER [hr].[log_staff] ON [hr].[staff]',
    )
  })
})

describe('names', () => {
  it('that would break out of their quotes, or mean another object, are refused', () => {
    for (const parameter of ['sql_name', 'sql_schema', 'sql_table'])
      for (const name of [
        'a]b',
        'a"b',
        "a'b",
        'a;b',
        'a\nb',
        '',
        ' a',
        'a ',
        '#a',
        '1a',
        'ä',
        'x'.repeat(129),
      ])
        expect(() => rendersOf({ [parameter]: name }), `${parameter} ${name}`).toThrow(
          `Parameter ${parameter} was invalid.`,
        )
  })

  it('stay within what each server takes', () => {
    const long = 'x'.repeat(128)
    const renders = rendersOf({ sql_name: long, sql_schema: long, sql_table: long })
    for (const name of ['view', 'function', 'trigger'])
      for (const [, identifier = ''] of (renders[name] ?? '').matchAll(/\[([^\]]*)\]/g))
        expect(identifier.length).toBeLessThanOrEqual(128)
    for (const [, identifier = ''] of (renders['postgresql'] ?? '').matchAll(/"([^"]*)"/g))
      expect(identifier.length).toBeLessThanOrEqual(63)
  })

  it('are the same for the same token', () => {
    expect(rendersOf()).toEqual(rendersOf())
  })
})

describe('a look-up', () => {
  it('says who did what, once its name is whole', () => {
    const whole = `${labelOf('uCORP\\alice')}.07`
    for (const part of ['', '07']) expect(kind.on.dns?.judge?.(look(part), {}, 0)).toBe('quiet')
    expect(kind.on.dns?.judge?.(look(whole), {}, 0)).toBe('fire')
    expect(kind.on.dns?.describe?.(look(whole), {}, 0)).toMatchObject({
      sql_user: 'CORP\\alice',
      sql_action: 'UPDATE',
      qname: `${whole}.${ID}.t.example`,
    })
  })

  it('of the host that PostgreSQL connects to fires without them', () => {
    expect(kind.on.dns?.judge?.(look('db'), {}, 0)).toBe('fire')
    expect(kind.on.dns?.describe?.(look('db'), {}, 0)).not.toHaveProperty('sql_user')
  })

  it('of a user that is not ASCII shows question marks', () => {
    expect(lookedUp([labelOf('iZoë'), '99'])).toEqual({ sql_user: 'Zo?', sql_action: 'INSERT' })
  })

  it('is read as it was made, with any user', () => {
    const user = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 38 })
    fc.assert(
      fc.property(user, fc.constantFrom(...'seiudn'), (name, action) => {
        expect(lookedUp([labelOf(action + name), '00'])).toMatchObject({ sql_user: name })
      }),
    )
  })

  it('of any labels is read without a throw', () => {
    fc.assert(fc.property(fc.array(fc.string()), (labels) => void lookedUp(labels)))
    for (const labels of [
      ['mfra', '0'],
      ['mfra', '001'],
      ['x', 'mfra', '00'],
      ['0', '00'],
      ['mr', '00'],
    ])
      expect(lookedUp(labels), labels.join('.')).toBeUndefined()
  })
})

describe('the script for PostgreSQL', () => {
  it('logs in as the token, below its host name, at the port that is advertised', () => {
    const { postgresql = '' } = rendersOf({ sql_schema: 'hr' })
    expect(postgresql).toContain(`host 'db.${ID}.t.example', port '5433'`)
    expect(postgresql).toContain(`(user '${ID}', password '`)
    expect(postgresql).toContain('CREATE FOREIGN TABLE "hr".')
    const elsewhere = { ...address, postgres: { host: '192.0.2.9', port: 5_432 } }
    expect(rendersOf({}, elsewhere)['postgresql']).toContain("host '192.0.2.9', port '5432'")
    const { postgres: _, ...off } = address
    const settings = readSettings(descriptor, {})
    expect(kind.renders(off, settings)['postgresql']).toContain(`host 'db.${ID}.t.example', port '5432'`)
  })

  it('shows the user who ran the statement, where the server fills it in', () => {
    const described = (name: string) => kind.on.postgres?.describe?.(login(name), {}, 0)
    expect(described('alice')).toEqual({ sql_user: 'alice', database: 'payroll' })
    for (const unknown of ['', '%u']) expect(described(unknown)).toEqual({ database: 'payroll' })
    expect(kind.on.postgres?.judge).toBeUndefined()
  })
})
