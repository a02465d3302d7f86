import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { DnsVisit } from '../../channels/dns/visit.ts'
import type { HttpVisit } from '../../channels/http/visit.ts'
import { readSettings } from '../../settings.ts'
import type { ReportedVisit } from '../../token.ts'
import { forgeFile } from '../../../test/forge-file.ts'
import { descriptor } from './descriptor.ts'
import forge from './forge.ts'
import kind from './token.ts'

const golden = (name: string): string => readFileSync(new URL(`golden/${name}`, import.meta.url), 'utf8')
const address = { tokenId: 'abc', url: 'https://t.example:8443/img/abc/log', hostname: 'abc.t.example' }
const settings = readSettings(descriptor, { tokened_usernames: 'svc_backup, alice, Jörg B.' })

const posted = (body: string, more: Partial<HttpVisit> = {}): HttpVisit => ({
  channel: 'http',
  method: 'POST',
  path: '/img/abc/log',
  headers: {},
  srcHost: '198.51.100.5',
  dstPort: 8443,
  body,
  ...more,
})
const reported = (body: string, more?: Partial<HttpVisit>): readonly ReportedVisit[] | undefined =>
  kind.on.http?.reported?.(posted(body, more), settings)
/** Source, event, outcome and status of each visit. */
const inShort = (visits: readonly ReportedVisit[] | undefined) =>
  visits?.map(({ srcHost, eventName, fields }) => [srcHost, eventName, fields['outcome'], fields['status']])
const logon = (values: object): string =>
  JSON.stringify({ EventID: 4625, TargetUserName: 'alice', IpAddress: '192.0.2.1', ...values })

describe('a feed', () => {
  it('of Samba, as recorded, shows a failed and a succeeded logon, and nobody else’s', () => {
    const visits = reported(golden('samba-auth.jsonl'), { path: '/img/abc/log?dc=dc1.ad.example' })
    expect(inShort(visits)).toEqual([
      ['192.0.2.77', '4624', 'succeeded', 'NT_STATUS_OK'],
      ['192.0.2.77', '4625', 'failed', 'NT_STATUS_WRONG_PASSWORD'],
    ])
    expect(visits?.[0]?.fields).toEqual({
      username: 'alice',
      outcome: 'succeeded',
      workstation: '',
      dc: 'dc1.ad.example',
      logon_type: '3',
      status: 'NT_STATUS_OK',
      reported_by: '198.51.100.5',
    })
  })

  it('of Winlogbeat, NXLog and Fluent Bit shows the same things of each event', () => {
    const beat = reported(golden('winlogbeat.ndjson'), { path: '/img/abc/log/_bulk' })
    expect(inShort(beat)).toEqual([
      ['192.0.2.17', '4625', 'failed', '0xc000006a'],
      ['192.0.2.17', '4768', 'succeeded', '0x0'],
    ])
    expect(beat?.[0]?.fields).toMatchObject({
      username: 'svc_backup',
      workstation: 'PC-17',
      dc: 'DC1.corp.example',
      logon_type: '3',
    })
    expect(inShort(reported(golden('nxlog.jsonl')))).toEqual([
      ['', '4776', 'failed', '0xc000006a'],
      ['192.0.2.18', '4771', 'failed', '0x18'],
    ])
    expect(inShort(reported(golden('fluent-bit.jsonl')))).toEqual([
      ['2001:db8::17', '4625', 'failed', '0xc0000064'],
      ['192.0.2.19', '4624', 'succeeded', ''],
      ['192.0.2.20', '4768', 'failed', '0x6'],
      ['192.0.2.21', '4771', 'failed', '0x18'],
      ['', '4776', 'succeeded', '0x0'],
    ])
  })

  it('names an account as user, user@REALM or DOM\\user, in any case', () => {
    for (const name of ['alice', 'ALICE', 'alice@AD.EXAMPLE', 'AD\\Alice', 'alice\\@ad.example@AD.EXAMPLE'])
      expect(reported(logon({ TargetUserName: name }))?.[0]?.fields['username']).toBe('alice')
    expect(reported(logon({ TargetUserName: 'jo\u0308rg b.' }))?.[0]?.fields['username']).toBe('Jörg B.')
    for (const name of ['alice$', 'malice', 'alice2', 'alice.', '', 'bob', 7, null, {}])
      expect(reported(logon({ TargetUserName: name }))).toEqual([])
  })

  it('may be an array or lines, and a bad event does not lose the others', () => {
    const array = `[null,7,"x",[],{},${logon({})},{"EventID":4624},{"EventID":1,"TargetUserName":"alice"}]`
    expect(inShort(reported(array))).toEqual([['192.0.2.1', '4625', 'failed', '']])
    const cut = `${logon({}).slice(9)}\n${logon({})}\n{"EventID":4624,"TargetUs`
    expect(inShort(reported(cut, { isBodyCut: true }))).toEqual([['192.0.2.1', '4625', 'failed', '']])
  })

  it('that names no address as the source has none, and a forged one is said', () => {
    const sourceOf = (IpAddress: unknown) => {
      const [visit] = reported(logon({ IpAddress })) ?? []
      return [visit?.srcHost, visit?.fields['src_host_left_out']]
    }
    expect(sourceOf('::1')).toEqual(['::1', undefined])
    expect(sourceOf('fe80::1%7')).toEqual(['fe80::1', undefined])
    for (const none of ['-', '', null, undefined]) expect(sourceOf(none)).toEqual(['', undefined])
    expect(sourceOf('10.0.0.1; rm')).toEqual(['', '10.0.0.1; rm is no IP address'])
    expect(sourceOf('300.1.1.1')).toEqual(['', '300.1.1.1 is no IP address'])
    expect(sourceOf('<b>\u0000\ud800')).toEqual(['', '<b>?? is no IP address'])
  })

  it('repeats a visit once, has at most 64, and cuts every value', () => {
    expect(reported([logon({}), logon({ EventID: 4771 })].join('\n'))).toHaveLength(1)
    const many = Array.from({ length: 500 }, (_, n) => logon({ IpAddress: `192.0.${n >> 8}.${n & 255}` }))
    expect(reported(many.join('\n'))).toHaveLength(64)
    const long = reported(logon({ WorkstationName: 'w'.repeat(10_000), IpAddress: 'a'.repeat(10_000) }))
    expect(JSON.stringify(long).length).toBeLessThan(2_000)
  })

  it('that cannot be read fires itself, and a request without a body is quiet', () => {
    for (const body of ['<Event/>', '{"EventID":', '\u001f\ufffd', '7']) {
      expect(reported(body)).toBeUndefined()
      expect(kind.on.http?.judge?.(posted(body), settings, 0)).toBe('fire')
    }
    const { body: _, ...unread } = posted('')
    expect(kind.on.http?.judge?.({ ...unread, isBodyCut: true }, settings, 0)).toBe('fire')
    expect(kind.on.http?.describe?.({ ...unread, isBodyCut: true }, settings, 0)).toEqual({
      reported_by: '198.51.100.5',
      body_unread: true,
    })
    expect(kind.on.http?.judge?.({ ...unread, method: 'GET' }, settings, 0)).toBe('quiet')
    expect(reported('[]')).toEqual([])
  })

  it('may be anything: it is read without a throw', () => {
    const value = fc.oneof(
      fc.string(),
      fc.integer(),
      fc.jsonValue(),
      fc.constantFrom('alice', 'AD\\alice', '-'),
    )
    const event = fc.record(
      Object.fromEntries(
        [
          'TargetUserName',
          'IpAddress',
          'Status',
          'winlog',
          'Authentication',
          'StringInserts',
          'Computer',
        ].map((name) => [name, value]),
      ),
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(fc.array(event), fc.constantFrom(4624, '4776', 4768), (events, EventID) => {
        const lines = events.map((it) => JSON.stringify({ ...it, EventID })).join('\n')
        for (const { srcHost } of reported(lines) ?? []) expect(srcHost).toMatch(/^[0-9a-f.:]*$/)
      }),
    )
    fc.assert(fc.property(fc.string(), (body) => void reported(body)))
    const recorded = golden('winlogbeat.ndjson') + golden('fluent-bit.jsonl') + golden('samba-auth.jsonl')
    fc.assert(
      fc.property(
        fc.nat(recorded.length),
        fc.nat(80),
        fc.string(),
        (at, length, put) => void reported(recorded.slice(0, at) + put + recorded.slice(at + length)),
      ),
    )
  })
})

describe('a look-up', () => {
  const lookUp = (name: string): readonly ReportedVisit[] | undefined => {
    const visit: DnsVisit = {
      channel: 'dns',
      qname: `${name}.abc.t.example`,
      qtype: 'A',
      labels: name.split('.'),
      network: '198.51.100.0/24',
      isNx: false,
      srcHost: '198.51.100.53',
      dstPort: 53,
      headers: {},
    }
    return kind.on.dns?.reported?.(visit, settings)
  }
  const hex = (text: string): string => Buffer.from(text).toString('hex')
  const whole = `4625.u${hex('Alice')}.ac0000211.w${hex('PC-17')}.d${hex('DC1')}.t3.s0xc000006a.abcdefgh.logon`

  it('shows the logon once its name is whole, and carries an id', () => {
    const [visit, ...others] = lookUp(whole) ?? []
    expect(others).toEqual([])
    expect(visit).toMatchObject({
      srcHost: '192.0.2.17',
      eventName: '4625',
      invocation: 'abcdefgh',
      fields: {
        username: 'alice',
        outcome: 'failed',
        workstation: 'PC-17',
        dc: 'DC1',
        logon_type: '3',
        status: '0xc000006a',
        reported_by: '198.51.100.53',
      },
    })
    const labels = whole.split('.')
    for (let at = 1; at < labels.length; at++) expect(lookUp(labels.slice(at).join('.'))).toBeUndefined()
    expect(lookUp(`x.${whole}`)).toBeUndefined()
    expect(lookUp(whole.replace(hex('Alice'), hex('bob')))).toEqual([])
    const v6 = lookUp(whole.replace('ac0000211', 'a20010db8000000000000000000000017'))
    expect(v6?.[0]?.srcHost).toBe('2001:db8::17')
    expect(lookUp(whole.replace('ac0000211', 'a'))?.[0]?.srcHost).toBe('')
    const mapped = lookUp(whole.replace('ac0000211', `a${'0'.repeat(20)}ffffc0000211`))
    expect(mapped?.[0]?.srcHost).toBe('192.0.2.17')
  })

  it('has any labels', () => {
    fc.assert(fc.property(fc.string(), (name) => void lookUp(name)))
    fc.assert(fc.property(fc.string(), (name) => void lookUp(`4624.u.a${name}.w.d.t.s.abcdefgh.logon`)))
  })
})

describe('what is planted', () => {
  const renders = kind.renders(address, settings)

  it('names the accounts and the address in each form', () => {
    expect(Object.keys(renders)).toEqual(['url', 'powershell', 'winlogbeat', 'nxlog', 'fluent_bit', 'samba'])
    expect(renders['powershell']).toContain(`$names = @('svc_backup', 'alice', 'Jörg B.')`)
    expect(renders['powershell']).toContain(`$url = 'https://t.example:8443/img/abc/log'`)
    expect(renders['winlogbeat']).toContain(`hosts: ['https://t.example:8443']\n  path: '/img/abc/log'`)
    expect(renders['nxlog']).toContain('URL https://t.example:8443/img/abc/log')
    expect(renders['fluent_bit']).toMatch(
      /Host t\.example\n\s+Port 8443\n\s+URI \/img\/abc\/log\n.*\n\s+Tls On/,
    )
    for (const feed of ['winlogbeat', 'nxlog', 'fluent_bit', 'samba'])
      expect(renders[feed]).toContain('svc_backup|alice|Jörg B[.]')
  })

  it('keep what the console does not answer: the task by its position, Samba by trying again', () => {
    const { powershell = '', samba } = renders
    const task = powershell.slice(powershell.indexOf("@'"), powershell.indexOf("\n'@"))
    // Each of these throws where there is no answer, and the position follows it.
    const saved = [...task.matchAll(/(\S+)[^\n]*\n\s*Save-Position (\S+)/g)].map(([, command, id]) => [
      command,
      id,
    ])
    expect(saved).toEqual([
      ['Invoke-WebRequest', '$part[-1].Id'],
      ['Send-LookUp', '$item.Id'],
      ['}', '$newest'],
    ])
    expect(task).toMatch(/Resolve-DnsName .* -ErrorAction Stop/)
    expect(task).toMatch(/try \{ Send-LookUps \} catch \{ exit 1 \}\n\}\nSave-Position \$newest$/)
    expect(task.match(/Set-Content -Path \$position/g)).toHaveLength(1)
    expect(samba).toContain('--retry-connrefused')
  })

  it('is downloaded as a script that PowerShell 5 reads as UTF-8', async () => {
    const { filename, bytes } = await forgeFile(forge, { address, settings })
    expect(filename).toBe('report-logons.ps1')
    const text = Buffer.from(bytes).toString()
    expect(text).toBe(`\ufeff${(renders['powershell'] ?? '').replaceAll('\n', '\r\n')}`)
    // A here-string ends where a line begins with its end.
    expect(text.match(/^'@/gm)).toHaveLength(1)
  })

  it('takes no name that would break out of a script', () => {
    for (const name of [`a'b`, 'a"b', 'a$', 'a\\b', 'a@b', 'a|b', 'a(b', 'a`b', 'a/b'])
      expect(() => readSettings(descriptor, { tokened_usernames: name })).toThrow('tokened_usernames')
    expect(() => readSettings(descriptor, { tokened_usernames: 'joe@corp' })).toThrow(
      expect.objectContaining({
        details: {
          tokened_usernames:
            'must be a list, each item of the characters letters, digits, _. -, not "joe@corp"',
        },
      }),
    )
    expect(() => readSettings(descriptor, {})).toThrow('Parameter tokened_usernames is required.')
  })
})

describe('the answer', () => {
  const answer = (visit: HttpVisit): unknown => {
    const { status, body } = kind.on.http?.answer?.(visit, settings) ?? {}
    return [status, JSON.parse(String(body))]
  }

  it('tells Winlogbeat that each of its events was taken', () => {
    expect(answer(posted(golden('winlogbeat.ndjson'), { path: '/img/abc/log/_bulk' }))).toEqual([
      200,
      { took: 0, errors: false, items: Array(3).fill({ create: { status: 201 } }) },
    ])
    expect(answer(posted('', { method: 'GET' }))).toMatchObject([200, { version: { number: '8.19.0' } }])
    expect(answer(posted('', { method: 'GET', path: '/img/abc/log/_license' }))).toMatchObject([
      200,
      { license: { status: 'active' } },
    ])
    expect(answer(posted('{}'))).toEqual([200, {}])
  })
})
