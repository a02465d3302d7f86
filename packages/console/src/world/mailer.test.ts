import fc from 'fast-check'
import { createServer } from 'node:net'
import type { SMTPServerOptions } from 'smtp-server'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '@rookery/kernel/test/any-character.ts'
import type { Letter } from '@rookery/kernel/world.ts'
import { listen, unusedPort } from '../../test/listen.ts'
import { mailTo, openMailSink } from '../../test/mail-sink.ts'

const letter = (over: Partial<Letter> = {}): Letter => ({
  to: ['ops@example.com'],
  subject: 'SSH Login Attempt',
  text: 'What happened',
  html: '<p>What happened</p>',
  id: 'msg_1',
  timeoutMs: 5_000,
  ...over,
})

describe('mail', () => {
  it('arrives whole: both forms, every address, an id that stays', async () => {
    const sink = await openMailSink()
    const to = ['ops@example.com', 'night@example.org']
    await mailTo(sink).send(
      letter({ to, subject: 'Füchse — im Hühnerstall', text: 'ä\n.\nb', html: '<p>ä</p>' }),
    )
    const [mail] = sink.mails
    expect(mail).toMatchObject({ from: 'rookery@example.com', to, secure: true })
    expect(mail?.text.trim()).toBe('ä\n.\nb')
    expect(mail?.html.trim()).toBe('<p>ä</p>')
    expect(Object.fromEntries(mail?.headers ?? [])).toMatchObject({
      from: 'Rookery <rookery@example.com>',
      to: 'ops@example.com, night@example.org',
      'message-id': '<msg_1@example.com>',
      'auto-submitted': 'auto-generated',
    })
  })

  it('never lets a text become a header, an address or an end', async () => {
    const sink = await openMailSink({ disabledCommands: ['STARTTLS'] })
    const mail = mailTo(sink)
    const nasty = fc.stringMatching(/^[\r\n.a: \u2028\u0085]{1,12}$/)
    await fc.assert(
      fc.asyncProperty(nasty, fc.string({ unit: anyCharacter }), async (breaks, any) => {
        const text = `${breaks}Bcc: x@evil.test\r\nX-Evil: 1\r\n\r\n.\r\nMAIL FROM:<x@evil.test>${breaks}${any.toWellFormed()}`
        await mail.send(letter({ subject: text, text, html: text }))
        const last = sink.mails.at(-1)
        expect(last?.to).toEqual(['ops@example.com'])
        expect([...(last?.headers.keys() ?? [])].sort()).toEqual([
          'auto-submitted',
          'content-type',
          'date',
          'from',
          'message-id',
          'mime-version',
          'subject',
          'to',
        ])
      }),
      { numRuns: 10 },
    )
    expect(sink.mails).toHaveLength(10)
  })

  it('logs in over STARTTLS or TLS only, with characters of every kind', async () => {
    const login: SMTPServerOptions = {
      authOptional: false,
      onAuth: ({ username, password }, _session, done) =>
        password === 'p@ss:ä/' ? done(null, { user: username ?? '' }) : done(new Error('no')),
    }
    const starttls = await openMailSink(login)
    await mailTo(starttls, 'smtp://us%40er:p%40ss%3A%C3%A4%2F@mail.test:PORT').send(letter())
    expect(starttls.mails).toMatchObject([{ secure: true, user: 'us@er' }])
    const wrapped = await openMailSink({ ...login, secure: true })
    await mailTo(wrapped, 'smtps://us%40er:p%40ss%3A%C3%A4%2F@mail.test:PORT').send(letter())
    expect(wrapped.mails).toMatchObject([{ secure: true, user: 'us@er' }])
    await expect(mailTo(wrapped, 'smtps://u:wr0ng@mail.test:PORT').send(letter())).rejects.toThrow(
      'The mail server did not take the login of ROOKERY_SMTP_URL.',
    )
  })

  it('gives no password to a server that hides STARTTLS; without one it is sent plainly', async () => {
    const seen: string[] = []
    const plain = await openMailSink({
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      onAuth: ({ password }, _session, done) => {
        seen.push(password ?? '')
        done(null, { user: 'x' })
      },
    })
    await expect(mailTo(plain, 'smtp://u:secret@mail.test:PORT').send(letter())).rejects.toThrow()
    expect(seen).toEqual([])
    await mailTo(plain).send(letter())
    expect(plain.mails).toMatchObject([{ secure: false }])
    await expect(mailTo(plain, 'smtp://mail.test:PORT?starttls=required').send(letter())).rejects.toThrow()
  })

  it('is not given to a server with the certificate of another', async () => {
    const sink = await openMailSink()
    const mail = mailTo(sink, 'smtp://other.test:PORT')
    await expect(mail.send(letter())).rejects.toThrow('other.test has no address.')
    const { openMailer } = await import('./mailer.ts')
    const { parseRanges } = await import('../addresses/ranges.ts')
    const stranger = openMailer({
      server: { host: 'other.test', port: sink.port, tls: 'offered', login: undefined },
      from: { name: '', address: 'a@example.com' },
      allow: parseRanges('127.0.0.1', 'allow'),
      resolver: { addresses: () => Promise.resolve(['127.0.0.1']) },
      caCertificates: [],
    })
    await expect(stranger.send(letter())).rejects.toThrow(/certificate/)
    expect(sink.mails).toEqual([])
  })

  it('reports the refused recipients, and fails when all were refused', async () => {
    const sink = await openMailSink()
    sink.refuse((address) =>
      address.startsWith('gone')
        ? { code: 550, text: 'no such user' }
        : address.startsWith('later')
          ? { code: 450, text: 'greylisted' }
          : undefined,
    )
    const mail = mailTo(sink)
    const sent = await mail.send(letter({ to: ['gone@a.test', 'ops@a.test', 'later@a.test'] }))
    expect(sent.refused).toEqual([
      { address: 'gone@a.test', reason: '550 no such user', isPermanent: true },
      { address: 'later@a.test', reason: '450 greylisted', isPermanent: false },
    ])
    await expect(mail.send(letter({ to: ['gone@a.test'] }))).rejects.toThrow(/550 no such user/)
  })

  it('goes to private addresses only where the operator allows it', async () => {
    const sink = await openMailSink()
    for (const host of ['mail.test', '127.0.0.1', '[::1]', '[::ffff:127.0.0.1]'])
      await expect(mailTo(sink, `smtp://${host}:PORT`, '192.0.2.1').send(letter())).rejects.toThrow(
        /is not a public address; ROOKERY_OUTBOUND_ALLOW can admit it/,
      )
    expect(sink.mails).toEqual([])
  })

  it('gives up in time on a server that says nothing, and says when there is none', async () => {
    const port = await listen(createServer())
    await expect(mailTo({ port }).send(letter({ timeoutMs: 200 }))).rejects.toThrow(
      'The mail server did not take it within 0.2 s.',
    )
    await expect(mailTo({ port: await unusedPort() }).send(letter())).rejects.toThrow(
      'The mail server refused the connection.',
    )
  })
})
