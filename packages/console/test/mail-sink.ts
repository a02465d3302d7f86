// A mail server of a test's own, on loopback: it keeps what it was sent and answers as the test says.
import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { onTestFinished } from 'vitest'
import type { Mail } from '@rookery/kernel/world.ts'
import { parseRanges } from '../src/addresses/ranges.ts'
import { openMailer } from '../src/world/mailer.ts'
import { readSender, readSmtpUrl } from '../src/config/smtp-url.ts'
import { CERTIFICATE, CERTIFICATE_KEY } from './certificate.ts'

export interface Sunk {
  readonly from: string
  readonly to: readonly string[]
  /** As it came over the wire, headers and body. */
  readonly raw: string
  /** Header names in lower case; folded lines are joined. */
  readonly headers: ReadonlyMap<string, string>
  /** The decoded parts. */
  readonly text: string
  readonly html: string
  readonly secure: boolean
  /** Who logged in; empty for nobody. */
  readonly user: string
}

export interface MailSink {
  readonly port: number
  readonly mails: readonly Sunk[]
  /** Refuses, of the addresses to which it answers a text, with this reply code and text. */
  refuse(answer: (address: string) => { readonly code: number; readonly text: string } | undefined): void
  /** Resolves once so many mails have come. */
  count(mails: number): Promise<readonly Sunk[]>
}

export async function openMailSink(options: SMTPServerOptions = {}): Promise<MailSink> {
  const mails: Sunk[] = []
  let watchers: { count: number; resolve: (mails: readonly Sunk[]) => void }[] = []
  let refusal: Parameters<MailSink['refuse']>[0] = () => undefined
  const server = new SMTPServer({
    key: CERTIFICATE_KEY,
    cert: CERTIFICATE,
    authOptional: true,
    disableReverseLookup: true,
    onRcptTo({ address }, _session, done) {
      const answer = refusal(address)
      done(answer && Object.assign(new Error(answer.text), { responseCode: answer.code }))
    },
    onData(stream, session, done) {
      const pieces: Buffer[] = []
      stream.on('data', (piece: Buffer) => pieces.push(piece))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        mails.push({
          ...readMail(Buffer.concat(pieces).toString('utf8')),
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          secure: session.secure,
          user: typeof session.user === 'string' ? session.user : '',
        })
        done()
        watchers = watchers.filter(({ count, resolve }) => mails.length < count || void resolve(mails))
      })
    },
    ...options,
  })
  server.on('error', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    refuse: (answer) => void (refusal = answer),
    count: (count) =>
      new Promise((resolve) => {
        if (mails.length >= count) resolve(mails)
        else watchers.push({ count, resolve })
      }),
  }
}

/** The way to a sink; `url` has PORT where its port belongs, and `mail.test` is loopback. */
export function mailTo(
  sink: Pick<MailSink, 'port'>,
  url = 'smtp://mail.test:PORT',
  allow = '127.0.0.0/8',
): Mail {
  const server = readSmtpUrl(url.replace('PORT', String(sink.port)))
  const from = readSender('Rookery <rookery@example.com>')
  if (!server || !from) throw new Error(`${url} cannot be read`)
  return openMailer({
    server,
    from,
    allow: parseRanges(allow, 'allow'),
    resolver: { addresses: (name) => Promise.resolve(name === 'mail.test' ? ['127.0.0.1'] : []) },
    caCertificates: [CERTIFICATE],
  })
}

/** Enough of MIME to read our own: two alternatives, each 7bit, quoted-printable or base64. */
function readMail(raw: string): Pick<Sunk, 'raw' | 'headers' | 'text' | 'html'> {
  const { headers, body } = split(raw)
  const boundary = /boundary="([^"]+)"/.exec(headers.get('content-type') ?? '')?.[1]
  const parts =
    boundary === undefined ? [] : body.split(`--${boundary}`).map((part) => split(part.replace(/^\r\n/, '')))
  const of = (type: string): string => {
    const part = parts.find((it) => it.headers.get('content-type')?.startsWith(type))
    if (!part) return ''
    return decode(part.body, part.headers.get('content-transfer-encoding') ?? '').replace(/\r\n/g, '\n')
  }
  return { raw, headers, text: of('text/plain'), html: of('text/html') }
}

function split(text: string): { headers: Map<string, string>; body: string } {
  const at = text.indexOf('\r\n\r\n')
  const lines = text
    .slice(0, Math.max(at, 0))
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
  return {
    headers: new Map(
      lines.map((line) => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 1).trim(),
      ]),
    ),
    body: text.slice(at + 4),
  }
}

function decode(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8')
  if (encoding !== 'quoted-printable') return body
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_all, digits: string) => String.fromCharCode(parseInt(digits, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
