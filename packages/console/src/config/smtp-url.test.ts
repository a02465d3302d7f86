import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '@rookery/kernel/test/any-character.ts'
import { mailAddress, readSender, readSmtpUrl } from './smtp-url.ts'

describe('ROOKERY_SMTP_URL', () => {
  it('names server, port, login and how TLS is used', () => {
    expect(readSmtpUrl('smtp://relay.example.com')).toEqual({
      host: 'relay.example.com',
      port: 587,
      tls: 'offered',
      login: undefined,
    })
    expect(readSmtpUrl('smtps://a%40b:c%2F@mx.example.com/')).toEqual({
      host: 'mx.example.com',
      port: 465,
      tls: 'wrapped',
      login: { user: 'a@b', pass: 'c/' },
    })
    expect(readSmtpUrl('smtp://u:p@[2001:db8::1]:25')).toMatchObject({
      host: '2001:db8::1',
      port: 25,
      tls: 'required',
    })
    expect(readSmtpUrl('smtp://relay:25?starttls=never')).toMatchObject({ port: 25, tls: 'never' })
    expect(readSmtpUrl('smtp://u:p@relay?starttls=offered')).toMatchObject({ tls: 'offered' })
  })

  it('is refused when it says what cannot be done, or what is not known', () => {
    for (const text of [
      'relay.example.com',
      'http://relay.example.com',
      'smtp://',
      'smtp:relay',
      'smtp://relay/path',
      'smtp://relay?tls.rejectUnauthorized=false',
      'smtp://relay?starttls=maybe',
      'smtps://relay?starttls=never',
      'smtp://u:p@relay?starttls=never',
      'smtp://u:%zz@relay',
      'smtp://:p@relay',
    ])
      expect([text, readSmtpUrl(text)]).toEqual([text, undefined])
  })
})

describe('a mail address', () => {
  it('is kept in one spelling; one with characters that mean something is none', () => {
    expect(mailAddress(' Ops.Team+alerts@Bücher.Example ')).toBe('Ops.Team+alerts@xn--bcher-kva.example')
    expect(mailAddress('root@localhost')).toBe('root@localhost')
    for (const text of [
      '',
      '@',
      'a',
      'a@',
      '@b.test',
      'a b@c.test',
      'a@b@c.test',
      '"a"@b.test',
      'a,b@c.test',
      'a@b.test,c@d.test',
      '<a@b.test>',
      'a@b.test\r\nBcc: c@d.test',
      'a@b..test',
      'a@-b.test',
      'a@192.0.2.1',
      'a@[192.0.2.1]',
      '.a@b.test',
      'ä@b.test',
      `${'a'.repeat(65)}@b.test`,
      `a@${'b'.repeat(64)}.test`,
    ])
      expect([text, mailAddress(text)]).toEqual([text, undefined])
  })

  it('never holds anything but a plain word, @ and a host name', () => {
    const parts = fc.string({
      unit: fc.constantFrom('a', '.', '@', '-', ' ', '\r', '\n', '<', '"', 'ß', '。', '%'),
    })
    fc.assert(
      fc.property(fc.oneof(parts, fc.string({ unit: anyCharacter })), (text) => {
        expect(mailAddress(text) ?? 'a@b').toMatch(/^[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]+@[a-z0-9.-]+$/)
      }),
      { numRuns: 2_000 },
    )
  })

  it('of the sender may have a name before it', () => {
    expect(readSender('Rookery Alerts <r@example.com>')).toEqual({
      name: 'Rookery Alerts',
      address: 'r@example.com',
    })
    expect(readSender('r@example.com')).toEqual({ name: '', address: 'r@example.com' })
    for (const text of ['', 'Rookery', 'A <b@c.test> d', 'A\r\nB <b@c.test>', 'A <b@c.test', '<b@c.test'])
      expect([text, readSender(text)]).toEqual([text, undefined])
  })
})
