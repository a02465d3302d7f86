// The world by the options: outbound traffic reaches private addresses only where the operator allows it.
import { Fault } from '@rookery/kernel/fault.ts'
import type { Mail, Outbound, World } from '@rookery/kernel/world.ts'
import type { Config } from '../config/config.ts'
import { parseRanges } from '../addresses/ranges.ts'
import { refusalOfHost, refusalOfUrl } from './checked-lookup.ts'
import { readCaCertificates } from './ca-certificates.ts'
import { readSender, readSmtpUrl } from '../config/smtp-url.ts'
import { openOutboundStream } from './outbound-stream.ts'
import { openSelfDial } from './self-dial.ts'
import { systemClock, systemResolver, systemWorld } from './system.ts'

export const openRealWorld = (config: Config): World => ({
  ...systemWorld(lazyOutbound(config)),
  mail: lazyMail(config),
  outboundStream: openOutboundStream(
    parseRanges(config.ROOKERY_OUTBOUND_ALLOW, 'ROOKERY_OUTBOUND_ALLOW'),
    systemResolver,
    systemClock,
    readCaCertificates(config.ROOKERY_OUTBOUND_CA),
  ),
  selfDial: openSelfDial(
    parseRanges(config.ROOKERY_OUTBOUND_ALLOW, 'ROOKERY_OUTBOUND_ALLOW'),
    systemResolver,
  ),
})

/** The HTTP client is large, and many consoles never send: it is loaded when there is a receiver. */
function lazyOutbound(config: Config): Outbound {
  const allow = parseRanges(config.ROOKERY_OUTBOUND_ALLOW, 'ROOKERY_OUTBOUND_ALLOW')
  const caCertificates = readCaCertificates(config.ROOKERY_OUTBOUND_CA)
  let opening: Promise<Outbound> | undefined
  const open = (): Promise<Outbound> => {
    opening ??= import('./outbound.ts').then(({ openOutbound }) =>
      openOutbound(allow, systemResolver, caCertificates),
    )
    // A failed import (its file was being replaced) is tried again by the next request.
    opening.catch(() => (opening = undefined))
    return opening
  }
  return {
    send: async (request) => (await open()).send(request),
    refusal: (url) => refusalOfUrl(url, allow),
    async prepare() {
      await open()
    },
  }
}

/** As with HTTP, the library is loaded by the first letter. */
function lazyMail(config: Config): Mail | undefined {
  const server = readSmtpUrl(config.ROOKERY_SMTP_URL)
  if (!server) return undefined
  const from = readSender(config.ROOKERY_SMTP_FROM)
  if (!from)
    throw new Fault(
      'bad-input',
      'ROOKERY_SMTP_URL needs ROOKERY_SMTP_FROM: the address that mails come from.',
    )
  const allow = parseRanges(config.ROOKERY_OUTBOUND_ALLOW, 'ROOKERY_OUTBOUND_ALLOW')
  const caCertificates = readCaCertificates(config.ROOKERY_OUTBOUND_CA)
  let opening: Promise<Mail> | undefined
  const open = (): Promise<Mail> => {
    opening ??= import('./mailer.ts').then(({ openMailer }) =>
      openMailer({ server, from, allow, resolver: systemResolver, caCertificates }),
    )
    opening.catch(() => (opening = undefined))
    return opening
  }
  return {
    send: async (letter) => (await open()).send(letter),
    refusal: () => refusalOfHost(server.host, allow),
    async prepare() {
      await open()
    },
  }
}
