// Mail by the operator's server. Addresses are checked at the socket, as for all outbound traffic.
import { byWord } from '@rookery/kernel/by-word.ts'
import { connect, isIP, type Socket } from 'node:net'
import { getCACertificates } from 'node:tls'
import { createTransport, type SMTPSentMessageInfo, type SMTPTransportOptions } from 'nodemailer'
import { Fault } from '@rookery/kernel/fault.ts'
import type { Mail, Refusal, Resolver } from '@rookery/kernel/world.ts'
import type { Ranges } from '../addresses/ranges.ts'
import { checkedLookup, refused } from './checked-lookup.ts'
import { certificateCause } from './certificate-cause.ts'
import { isEgressAllowed } from './egress-policy.ts'
import type { MailServer, Sender } from '../config/smtp-url.ts'

export interface MailerOptions {
  readonly server: MailServer
  readonly from: Sender
  /** Private addresses that are allowed. */
  readonly allow: Ranges
  readonly resolver: Pick<Resolver, 'addresses'>
  /** Certificate caCertificates (PEM) besides the default ones. */
  readonly caCertificates: readonly string[]
}

const CONNECT_MS = 10_000

export function openMailer(mailing: MailerOptions): Mail {
  const { server, from, caCertificates } = mailing
  const options: SMTPTransportOptions = {
    host: server.host,
    port: server.port,
    secure: server.tls === 'wrapped',
    requireTLS: server.tls === 'required',
    ignoreTLS: server.tls === 'never',
    ...(server.login && { auth: server.login, forceAuth: true }),
    ...(caCertificates.length > 0 && { tls: { ca: [...getCACertificates('default'), ...caCertificates] } }),
    // Text of a message never names a file or URL to fetch.
    disableFileAccess: true,
    disableUrlAccess: true,
    getSocket(_options, done) {
      dial(mailing).then(
        (connection) => done(null, { connection }),
        (error: unknown) => done(error as Error),
      )
    },
  }
  const transport = createTransport(options)
  const domain = from.address.slice(from.address.indexOf('@') + 1)

  return {
    async send({ to, subject, text, html, id, timeoutMs }) {
      const signal = AbortSignal.timeout(timeoutMs)
      try {
        const sent = await transport.sendMail({
          from,
          to: to.map((address) => ({ name: '', address })),
          subject: oneLine(subject),
          text,
          html,
          messageId: `<${id}@${domain}>`,
          // No automatic responses (RFC 3834, 5).
          headers: { 'Auto-Submitted': 'auto-generated' },
          signal,
        })
        return { refused: refusals(sent) }
      } catch (error) {
        throw explained(error, signal.aborted, timeoutMs)
      }
    },
  }
}

const oneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')

/** A connection to the mail server, at an allowed address. */
function dial({ server: { host, port }, allow, resolver }: MailerOptions): Promise<Socket> {
  if (isIP(host) !== 0 && !isEgressAllowed(host, allow)) return Promise.reject(refused(host, [host]))
  return new Promise((resolve, reject) => {
    const socket = connect({
      host,
      port,
      lookup: checkedLookup(allow, resolver),
      autoSelectFamily: true,
      noDelay: true,
    })
    const timer = setTimeout(
      () => socket.destroy(new Fault('unavailable', 'The connection could not be made in time.')),
      CONNECT_MS,
    )
    timer.unref()
    socket.once('error', (error) => {
      clearTimeout(timer)
      reject(error)
    })
    socket.once('connect', () => {
      clearTimeout(timer)
      const peer = socket.remoteAddress ?? ''
      if (isEgressAllowed(peer, allow)) return resolve(socket)
      socket.destroy()
      reject(refused(host, [peer]))
    })
  })
}

/** A recipient that the server refused, as nodemailer reports it. */
interface Rejected {
  readonly recipient?: string
  readonly responseCode?: number
  readonly response?: string
}

const refusals = (sent: Pick<SMTPSentMessageInfo, 'rejectedErrors'>): Refusal[] =>
  ((sent.rejectedErrors ?? []) as readonly Rejected[]).map(
    ({ recipient = '', responseCode = 0, response = '' }) => ({
      address: recipient,
      reason: words(response),
      isPermanent: responseCode >= 500,
    }),
  )

const words = (text: string): string => oneLine(text).trim().slice(0, 200)

/** The failure as a fault whose message may be shown. */
function explained(error: unknown, timedOut: boolean, timeoutMs: number): Fault {
  if (error instanceof Fault) return error
  if (timedOut)
    return new Fault('unavailable', `The mail server did not take it within ${timeoutMs / 1000} s.`)
  const {
    code = '',
    response,
    message,
    errors,
  } = error as Error & {
    readonly code?: string
    readonly response?: string
    readonly errors?: readonly { readonly code?: string }[]
  }
  const cause = certificateCause(error) ?? CAUSES[code] ?? CAUSES[errors?.[0]?.code ?? '']
  const text =
    cause ?? (response ? `The mail server answered: ${words(response)}` : `Mail failed: ${words(message)}`)
  return new Fault('unavailable', text, { cause: error })
}

const CAUSES = byWord<string>({
  ECONNREFUSED: 'The mail server refused the connection.',
  ECONNRESET: 'The mail server reset the connection.',
  EHOSTUNREACH: 'The mail server cannot be reached.',
  ENETUNREACH: 'The network cannot be reached.',
  EAUTH: 'The mail server did not take the login of ROOKERY_SMTP_URL.',
})
