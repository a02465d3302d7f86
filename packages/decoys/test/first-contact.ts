// What an intruder is sent who meets every decoy of a machine once, without a socket and in a world that stands still.
import { createHash, X509Certificate } from 'node:crypto'
import { descriptors } from '../src/descriptors.gen.ts'
import { serviceOfInstance } from '../src/settings/instances.ts'
import { services } from '../src/services.gen.ts'
import type { BirdSettings, Listener, Reply, SessionContext } from '../src/session/session.ts'
import { request } from '../lab/git/client.ts'
import { login, packet, prelogin, TYPE } from '../lab/mssql/client.ts'
import { REQUESTS as modbusRequests } from '../lab/modbus/requests.ts'
import { framed, sslRequest } from '../lab/mysql/client.ts'
import { control } from '../lab/ntp/client.ts'
import { transcripts } from '../lab/smb/windows/transcript.ts'
import { NMAP as sipProbe, request as sipRequest } from '../lab/sip/requests.ts'
import { binding, message, pdu } from '../lab/snmp/client.ts'
import { clientKexInit } from '../lab/ssh/client.ts'
import { unencrypted } from '../src/services/ssh/protocol/cipher/protection.ts'
import { newDirection, writePacket } from '../src/services/ssh/protocol/codec/packet.ts'
import { refuseAll } from '../lab/telnet/client.ts'
import { readRequest } from '../lab/tftp/client.ts'
import { version, VNC_AUTH } from '../lab/vnc/client.ts'
import { defaultSettings } from './default-settings.ts'
import type { TlsServer } from '../src/session/tls-server.ts'
import { negotiateToken } from '../lab/windows/ntlm-client.ts'
import { sentBytes } from './sent-bytes.ts'
import { deriveFrom, testContext } from './session-context.ts'

export const NOW = Date.UTC(2026, 10, 20, 9, 39, 2)

export interface FirstContact {
  /** Of each listener by its instance and port, bytes as latin1 without NULs, so that UTF-16 can be read, too. */
  readonly said: Readonly<Record<string, string>>
  /** The certificates that it shows, by instance and port. */
  readonly certificates: Readonly<Record<string, X509Certificate>>
}

/** Settings of a machine as the console makes them. */
export const machineSettings = (changes: BirdSettings): BirdSettings =>
  defaultSettings(descriptors, { 'device.name': 'Bird', ...changes })

export async function meet(settings: BirdSettings, seed: string): Promise<FirstContact> {
  const said: Record<string, string> = {}
  const certificates: Record<string, X509Certificate> = {}
  const derive = deriveFrom(seed)
  for (const listener of Object.values(services).flatMap((service) => service.listeners(settings))) {
    const name = `${listener.instance} ${listener.port}/${listener.transport}`
    const { text, certificate } = converse(listener, derive, usualRequests(listener))
    said[name] = text.replaceAll('\0', '')
    const shown = await certificate
    if (shown) certificates[name] = new X509Certificate(shown.cert)
  }
  return { said, certificates }
}

/** What the usual client of a service says first. */
function usualRequests({ instance, transport }: Listener): readonly Buffer[] {
  const service = serviceOfInstance(descriptors, instance)?.service ?? instance
  const name = transport === 'udp' ? `${service} by UDP` : service
  const requests = REQUESTS[name]
  if (!requests)
    throw new Error(`test/first-contact.ts does not say what the usual client of ${name} says first`)
  return requests
}

/** What a listener answers to these requests on one connection. */
export function converse(listener: Listener, derive: SessionContext['derive'], requests: readonly Buffer[]) {
  let drawn = 0
  const random = (length: number): Buffer =>
    createHash('shake256', { outputLength: length })
      .update(`random ${(drawn += 1)}`)
      .digest()
  const dst = { host: '192.0.2.1', port: listener.port }
  const session = listener.startSession(testContext({ derive, dst, random, now: () => NOW }))
  let text = ''
  let tls: TlsServer | undefined
  const take = (replies: readonly (Reply | undefined)[]): void => {
    for (const reply of replies) {
      if (reply?.error !== undefined) throw new Error(`${listener.instance} threw`, { cause: reply.error })
      text += sentBytes(reply ?? {}).toString('latin1')
      if (reply?.tls !== 'off') tls ??= reply?.tls
    }
    if (session.hasMore) take(session.resume())
  }
  take([session.open()])
  if (tls) take([session.secured()])
  for (const request of requests) take(session.receive(request))
  return { text, certificate: tls?.certificate }
}

const bytes = (text: string): Buffer => Buffer.from(text, 'latin1')
const web = ['/', '/none', '/icons', '/../'].map((path) =>
  bytes(`GET ${path} HTTP/1.1\r\nHost: 192.0.2.1\r\n\r\n`),
)
const smbClient = transcripts().find(([name]) => name === 'smbclient-3.1.1.json')?.[1].conversations[0]
const nodeStatus = `12340000000100000000000020${bytes(`CK${'A'.repeat(30)}`).toString('hex')}0000210001`

/** What a service is asked by UDP. */
export const questionsByUdp = (instance: string): readonly Buffer[] => REQUESTS[`${instance} by UDP`] ?? []

/** By the listener's service. */
const REQUESTS: Readonly<Record<string, readonly Buffer[]>> = {
  'dbsrv_a by UDP': [Buffer.from([2])],
  dbsrv_a: [
    packet(TYPE.prelogin, prelogin()),
    packet(TYPE.login, login({ user: '', password: '', sspi: negotiateToken() })),
  ],
  dbsrv_b: [bytes(framed(sslRequest()))],
  ftp: ['USER anonymous', 'SYST', 'FEAT', 'HELP', 'AUTH TLS'].map((line) => bytes(`${line}\r\n`)),
  git: [bytes(request('upload-pack', '/r.git', '192.0.2.1', ['version=2']))],
  http: [...web, bytes('OPTIONS * HTTP/1.0\r\n\r\n')],
  httpproxy: ['GET http://192.0.2.9/ HTTP/1.1', 'CONNECT 192.0.2.9:443 HTTP/1.1', 'GET / HTTP/1.0'].map(
    (line) => bytes(`${line}\r\n\r\n`),
  ),
  https: web,
  'ntp by UDP': [control(2), control(1), bytes(`#${'\0'.repeat(47)}`)],
  modbus: modbusRequests,
  redis: [bytes('INFO\r\nCONFIG GET *\r\n')],
  'smb by UDP': [Buffer.from(nodeStatus, 'hex')],
  smb: smbClient?.exchanges.slice(0, 2).map(({ client }) => Buffer.from(client, 'base64')) ?? [],
  sip: [bytes(sipProbe), bytes(sipRequest({ method: 'REGISTER' }))],
  'sip by UDP': [bytes(sipProbe), bytes(sipRequest())],
  'snmp by UDP': [
    message(1, 'public', pdu(0xa0, [binding('1.3.6.1.2.1.1.1.0'), binding('1.3.6.1.2.1.1.5.0')])),
    message(0, 'public', pdu(0xa1, [binding('1.3.6.1.2.1.1')])),
  ],
  ssh: [
    bytes('SSH-2.0-OpenSSH_9.2p1\r\n'),
    writePacket(clientKexInit(), newDirection(unencrypted), (length) => Buffer.alloc(length)).bytes,
  ],
  tcpbanner: [bytes('HELO a\r\n')],
  'tftp by UDP': [readRequest('startup-config')],
  telnet: refuseAll().map(({ send }) => bytes(send)),
  vnc: [bytes(version(8)), bytes(VNC_AUTH)],
}
