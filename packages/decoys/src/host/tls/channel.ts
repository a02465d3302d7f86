// TLS on one connection: records in, plaintext out, and back. The connection keeps its socket, so that it can still close as
// the claimed server does, and answer unencrypted when a handshake fails.
import { Duplex } from 'node:stream'
import { TLSSocket, type SecureContext } from 'node:tls'
import type { Certificate } from '../../machine/certificate.ts'
import type { TlsFacts, TlsFailure, TlsPackets, TlsProfile, TlsServer } from '../../session/tls-server.ts'
import { readClientHello, withProtocol, type ClientHello } from './client-hello.ts'
import { closeNotify, withoutAlerts } from './handshake-alert.ts'
import { refusalOfOldClient } from './old-client.ts'
import { tlsContext } from './contexts.ts'
import { leavesUnread, sendsNotify, type PeerEnd } from './end.ts'

export interface TlsChannel {
  /** Bytes of the peer. */
  receive(bytes: Buffer): void
  /** The peer has sent its FIN. */
  receiveEnd(): void
  /** Encrypts; what is sent before the handshake is done waits for it. Calls `done` when the system has taken it. */
  send(plaintext: Buffer | string, done: () => void): void
  /** Plaintext that is not handed to the system yet. */
  readonly unsentBytes: number
  /** Bytes of the peer that wait for the rest of its ClientHello, or for their turn. */
  readonly unreadBytes: number
  /** Bytes of the peer that were not given to OpenSSL. */
  kept(): Buffer
  /** Sends close_notify behind everything, if the server does; then calls `done`, once. */
  end(done: () => void): void
  /** Fails a handshake that takes too long, without an alert. */
  giveUp(): void
  destroy(): void
}

export interface TlsEvents {
  /** Hands records to the system; calls `done` when it has taken them. */
  readonly transmit: (records: Buffer, done: () => void) => void
  /** OpenSSL is asked from now on. */
  readonly onHello: () => void
  readonly onSecured: (facts: TlsFacts) => void
  readonly onPlaintext: (bytes: Buffer) => void
  /** close_notify, or the peer's FIN. */
  readonly onEnd: () => void
  /** Nothing is unsent any more. */
  readonly onDrain: () => void
  /** Of the handshake. Its alert is transmitted. */
  readonly onFailure: (failure: TlsFailure) => void
  /** Of a record behind the handshake; likewise. */
  readonly onBroken: (close: 'end' | 'reset') => void
  /** TLS cannot be opened at all, such as with a certificate that is none. */
  readonly onError: (error: unknown) => void
}

const NOTHING = Buffer.alloc(0)
const TIMEOUT = 'ERR_TLS_HANDSHAKE_TIMEOUT'
const MAX_FIRST_BYTES = 16 * 1024
/** A ClientHello that is larger is left to OpenSSL, which refuses it. */
const MAX_HELLO_BYTES = 17_000

export function openTlsChannel(server: TlsServer, certificate: Certificate, events: TlsEvents): TlsChannel {
  const packets = server.packets?.()
  const hidesAlerts = (): boolean => server.profile.failsBy === 'close_notify' && !isSecured
  const records = recordStream(packets, events, hidesAlerts)
  let first = Buffer.alloc(0)
  let tls: TLSSocket | undefined
  let hasEnded = false
  let isSecured = false
  let peerEnd: PeerEnd | undefined
  let last: Buffer = NOTHING

  /** OpenSSL is asked once the hello is whole: it decides which context and protocols apply. */
  function start(hello: ClientHello | undefined): TLSSocket | undefined {
    if (hasEnded) return undefined
    try {
      return open(hello)
    } catch (error) {
      hasEnded = true
      events.onError(error)
      return undefined
    }
  }

  function open(hello: ClientHello | undefined): TLSSocket {
    const socket = openSocket(server, certificate, records.stream, hello)
    events.onHello()
    socket.on('secure', () => {
      isSecured = true
      // Node emits `error` for the handshake alone, as long as no server of its own has accepted the socket.
      socket.on('_tlsError', (error: NodeJS.ErrnoException) => fail(error.code ?? ''))
      first = Buffer.alloc(0)
      events.onSecured(factsOf(socket, hello))
    })
    socket.on('data', (bytes) => {
      events.onPlaintext(bytes)
      if (!hasEnded) records.receive(records.unwrap(NOTHING))
    })
    socket.on('end', () => {
      if (!isSecured) return fail('ERR_TLS_HANDSHAKE_ENDED')
      peerEnd ??= 'notified'
      events.onEnd()
    })
    socket.on('drain', events.onDrain)
    socket.on('error', (error) => fail((error as NodeJS.ErrnoException).code ?? ''))
    const protocol = insisted(server, hello)
    records.receive(protocol === undefined ? first : withProtocol(first, protocol))
    return socket
  }

  function fail(code: string): void {
    if (hasEnded) return
    hasEnded = true
    if (hidesAlerts() && code !== TIMEOUT) events.transmit(closeNotify(first), () => {})
    if (!isSecured) return events.onFailure({ code, firstBytes: first.subarray(0, MAX_FIRST_BYTES) })
    events.onBroken(leavesUnread(server.profile, last, tls?.getProtocol() ?? null) ? 'reset' : 'end')
  }

  return {
    receive(bytes) {
      const received = records.unwrap(bytes)
      if (!tls || (!isSecured && first.length < MAX_FIRST_BYTES)) first = Buffer.concat([first, received])
      if (server.profile.ends?.leavesUnread) last = received
      if (tls) return records.receive(received)
      if (first.length <= MAX_FIRST_BYTES && server.readsOn?.(first)) return
      const hello = readClientHello(first)
      if (hello === 'incomplete' && first.length <= MAX_HELLO_BYTES) return
      const refusal = typeof hello === 'object' && refusalOf(server.profile, hello)
      if (refusal) {
        records.transmit(refusal.alert)
        return fail(refusal.code)
      }
      tls = start(typeof hello === 'object' ? hello : undefined)
    },
    receiveEnd() {
      if (!tls && first.length === 0) return fail('ERR_TLS_HANDSHAKE_ENDED')
      peerEnd ??= 'cut'
      tls ??= start(undefined)
      records.receiveEnd()
    },
    send: (plaintext, done) => void (tls ??= start(undefined))?.write(plaintext, done),
    get unsentBytes() {
      return tls?.writableLength ?? 0
    },
    get unreadBytes() {
      return (isSecured ? 0 : first.length) + records.kept().length
    },
    kept: records.kept,
    end(done) {
      hasEnded = true
      if (!tls || tls.destroyed) return done()
      endTls(tls, sendsNotify(server.profile, peerEnd), done)
    },
    giveUp: () => fail(TIMEOUT),
    destroy() {
      hasEnded = true
      tls?.destroy()
      records.stream.destroy()
    },
  }
}

const factsOf = (socket: TLSSocket, hello: ClientHello | undefined): TlsFacts => ({
  version: socket.getProtocol() ?? '',
  cipher: socket.getCipher().standardName,
  serverName: hello?.serverName ?? '',
  protocol: socket.alpnProtocol || '',
})

function endTls(socket: TLSSocket, withNotify: boolean, done: () => void): void {
  let isDone = false
  const once = (): void => {
    if (!isDone) done()
    isDone = true
  }
  if (withNotify) socket.end(once)
  else socket.write(NOTHING, once)
  socket.once('close', once)
}

/** Of a client with which OpenSSL would go on, or which it would refuse otherwise. */
function refusalOf(
  { oldCiphers, refuses }: TlsProfile,
  hello: ClientHello,
): { readonly code: string; readonly alert: Buffer } | undefined {
  const alert = oldCiphers && refusalOfOldClient(hello, oldCiphers)
  if (alert) return { code: 'ERR_SSL_VERSION_TOO_LOW', alert }
  return refuses?.(hello) ? { code: 'ERR_SSL_NO_SHARED_CIPHER', alert: Buffer.alloc(0) } : undefined
}

function openSocket(
  { profile, ownName }: TlsServer,
  certificate: Certificate,
  stream: Duplex,
  hello: ClientHello | undefined,
): TLSSocket {
  const { context, sessions, findSession } = tlsContext(
    profile,
    certificate,
    hello && retryGroup(profile, hello),
  )
  const socket = new TLSSocket(stream, {
    isServer: true,
    server: sessions,
    secureContext: context,
    requestCert: profile.asksForCertificate === true,
    rejectUnauthorized: false,
    ...(hello && asksForProtocol(profile, hello) && { ALPNProtocols: protocolsFor(profile, hello) }),
  })
  const isOwnName = ownName !== undefined && hello?.serverName.toLowerCase() === ownName.toLowerCase()
  if (profile.acknowledgesName === 'each' || (profile.acknowledgesName === 'own' && isOwnName))
    acknowledgeName(socket, context)
  const resumed = hello?.pskIdentities.map(findSession).find((session) => session !== undefined)
  if (resumed) resumeSession(socket, resumed)
  return socket
}

/** Node asks for a session by the id of a hello, and not by the identities of TLS 1.3: the handle gets it beforehand. */
function resumeSession(socket: TLSSocket, session: Buffer): void {
  const handle: unknown = Reflect.get(socket, '_handle')
  if (typeof handle !== 'object' || handle === null) return
  const load: unknown = Reflect.get(handle, 'loadSession')
  if (typeof load === 'function') Reflect.apply(load, handle, [session])
}

/** OpenSSL acknowledges a name if a context is chosen for it. Node asks the handle for one, before its own `SNICallback`. */
function acknowledgeName(socket: TLSSocket, { context }: SecureContext): void {
  const handle: unknown = Reflect.get(socket, '_handle')
  if (typeof handle === 'object' && handle !== null) Reflect.set(handle, 'sni_context', context)
}

const TLS_1_3 = 0x0304

/** The group of a HelloRetryRequest, if the client has no key that the server takes. */
function retryGroup(
  { retryGroups }: TlsProfile,
  { version, groups, keyShares }: ClientHello,
): string | undefined {
  if (!retryGroups || version < TLS_1_3 || keyShares.some((group) => retryGroups.has(group))) return undefined
  return [...retryGroups].find(([group]) => groups.includes(group))?.[1]
}

/** OpenSSL ends a handshake without a common protocol: it is not asked where the server goes on. */
const asksForProtocol = ({ alpn }: TlsProfile, { protocols }: ClientHello): boolean =>
  alpn !== undefined &&
  protocols.length > 0 &&
  (alpn.otherwise !== 'ignore' || alpn.protocols.some((protocol) => protocols.includes(protocol)))

/** OpenSSL goes by the server's order. */
function protocolsFor({ alpn }: TlsProfile, { protocols }: ClientHello): string[] {
  const known = alpn?.protocols ?? []
  const offered = alpn?.isByClient && protocols !== 'malformed' ? protocols : []
  const common = offered.filter((protocol) => known.includes(protocol))
  return [...(common.length > 0 ? common : known)]
}

/** The protocol that the server names although the client did not offer it. A client that checks ends the handshake then. */
function insisted({ profile: { alpn } }: TlsServer, hello: ClientHello | undefined): string | undefined {
  const { protocols = [] } = hello ?? {}
  const isAsked = protocols !== 'malformed' && protocols.length > 0
  return isAsked &&
    alpn?.otherwise === 'insist' &&
    !alpn.protocols.some((protocol) => protocols.includes(protocol))
    ? alpn.protocols[0]
    : undefined
}

/** The stream from which `node:tls` reads records, and to which it writes them. */
function recordStream(
  packets: TlsPackets | undefined,
  { transmit }: Pick<TlsEvents, 'transmit'>,
  hidesAlerts: () => boolean,
) {
  const send = (all: Buffer, done: () => void): void => {
    const records = hidesAlerts() ? withoutAlerts(all) : all
    if (records.length === 0) done()
    else transmit(packets ? packets.wrap(records) : records, done)
  }
  const stream = new Duplex({
    read() {},
    write: (records: Buffer, _encoding, done) => send(records, done),
  })
  stream.on('error', () => {})
  return {
    stream,
    transmit: (records: Buffer) => send(records, () => {}),
    unwrap: (bytes: Buffer): Buffer => (packets ? packets.unwrap(bytes) : bytes),
    kept: (): Buffer => packets?.kept?.() ?? NOTHING,
    receive: (records: Buffer) => void (records.length > 0 && !stream.destroyed && stream.push(records)),
    receiveEnd: () => void (!stream.destroyed && stream.push(null)),
  }
}
