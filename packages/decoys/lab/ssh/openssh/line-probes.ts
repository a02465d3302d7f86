// Probes before any packet: identifications, right and wrong, whole and in fragments.
import { createHash } from 'node:crypto'
import { readKexInit } from '../../../src/services/ssh/protocol/codec/kexinit.ts'
import { CLIENT_IDENT } from '../client.ts'
import type { Probe } from './probe.ts'

/** Bytes straight after the greeting; the server answers in text, if at all. */
const lines: [string, string | Buffer][] = [
  ['no ident at all', ''],
  ['an empty line', '\r\n'],
  ['a word', 'garbage\r\n'],
  ['a request of HTTP', 'GET / HTTP/1.0\r\n\r\n'],
  ['TLS', Buffer.from('16030100c8010000c403035b', 'hex')],
  ['a zero byte', Buffer.from([0])],
  ['SSH-1111', 'SSH-1111\r\n'],
  ['SSH-1111-', 'SSH-1111-OpenSSH_9.0\r\n'],
  ['SSH-2.0', 'SSH-2.0\r\n'],
  ['SSH-2.0-', 'SSH-2.0-\r\n'],
  ['SSH-2.0 without software, bare newline', 'SSH-2.0-\n'],
  ['lower case', 'ssh-2.0-x\r\n'],
  ['version 1.5', 'SSH-1.5-x\r\n'],
  ['version 3.0', 'SSH-3.0-x\r\n'],
  ['version 0.0', 'SSH-0.0-x\r\n'],
  ['version 1.98', 'SSH-1.98-x\r\n'],
  ['version -2.0', 'SSH--2.0-x\r\n'],
  ['version with a plus', 'SSH-+3.0-x\r\n'],
  ['version with a blank', 'SSH- 3. 0-x\r\n'],
  ['no minor', 'SSH-2.-x\r\n'],
  ['letters for a version', 'SSH-x.y-z\r\n'],
  ['a carriage return inside', 'SSH-2.0-x\ry\r\n'],
  ['a zero inside', 'SSH-2.0-x\0y\r\n'],
  ['two carriage returns', 'SSH-1.5-x\r\r\n'],
  ['a line of 8191', `${'a'.repeat(8191)}\r\n`],
  ['a line of 8192', `${'a'.repeat(8192)}\r\n`],
  ['a line of 8193 without an end', 'a'.repeat(8193)],
  ['a line of 100000', 'b'.repeat(100_000)],
  ['a line before the ident', `hello\r\n${CLIENT_IDENT}\r\n`],
  ['half an ident', 'SSH-2.0-Open'],
  ['only SSH-', 'SSH-'],
  ['OPTIONS', 'OPTIONS sip:nm SIP/2.0\r\n'],
  ['high bytes', Buffer.from('ff00fe0aff', 'hex')],
]

/** The same byte by byte, and random bytes of many lengths: the split of the input must not matter. */
const fragments = lines.filter(([, bytes]) => bytes.length > 0 && bytes.length < 100)
const noises: typeof lines = Array.from({ length: 32 }, (_, i) => [
  `noise ${i}`,
  createHash('shake256', { outputLength: 1 + 7 * i })
    .update(`noise ${i}`)
    .digest(),
])

const fragmentProbe = ([name, bytes]: (typeof lines)[number]): Probe => ({
  name: `fragments: ${name}`,
  async run(client) {
    for (const byte of Buffer.from(bytes)) {
      client.write(Buffer.from([byte]))
      await new Promise((resolve) => setImmediate(resolve))
    }
    client.end()
    return [await client.line()]
  },
})

/** Identifications that a server accepts, or knows by name. */
const idents = [
  'SSH-2.0-OpenSSH_9.2p1 Debian-2+deb12u10',
  'SSH-2.0-x\n',
  'SSH-2.0-x\r\r\n',
  'SSH-1.99-x',
  'SSH-01.099-x',
  'SSH-2.9-x',
  'SSH-+2.0-x',
  'SSH- 2.\t0-x',
  'SSH-2.0- ',
  'SSH-2.0--',
  'SSH-2.0-libssh2_1.8.0',
  'SSH-2.0-libssh-0.6.3',
  'SSH-2.0-PUTTY',
  'SSH-2.0-PuTTY_Local:_x',
  'SSH-2.0-JSCH-0.1.54',
  'SSH-2.0-Go',
  'SSH-2.0-paramiko_2.4.2',
  'SSH-2.0-Probe-1',
  'SSH-2.0-SSH_Version_Mapper_x',
  'SSH-2.0-OpenSSH_6.6',
  'SSH-2.0-3.0.0',
  'SSH-2.0-WinSCP',
  'SSH-2.0-Nmap-SSH2-Hostkey',
  'SSH-2.0-' + 'x'.repeat(300),
  'SSH-2.0-' + 'x'.repeat(8184),
  'SSH-2.0-' + 'x'.repeat(8185),
  'SSH-2.0-\x7f\x01\xff',
]

const identProbe = (ident: string): Probe => ({
  name: `ident: ${JSON.stringify(ident.slice(0, 40))} ${ident.length}`,
  async run(client) {
    client.write(Buffer.from(ident.endsWith('\n') ? ident : `${ident}\r\n`, 'latin1'))
    client.end()
    return client.rest()
  },
})

/** Software versions, to some of which sshd offers fewer key exchange methods than to others. */
const clients = [
  'OpenSSH_6.5p1',
  'OpenSSH_6.6p1 Debian-4',
  'OpenSSH_6.6.1p1',
  'OpenSSH_7.4',
  'PuTTY_Local: Feb  1 2013',
  'PuTTY-Release-0.52',
  'PuTTY_Release_0.63',
  'PuTTY_Release_0.64',
  'PuTTY_Release_0.65',
  'FuTTY',
  'WinSCP_release_4.4',
  'WinSCP_release_5.0.9',
  'WinSCP_release_5.1',
  'WinSCP_release_5.11',
  'WinSCP_release_5.5.4',
  'WinSCP_release_5.6.9',
  'WinSCP_release_5.7',
  'WinSCP_release_5.7.4',
  'WinSCP_release_5.7.5',
  'Cisco-1.25',
  'TTSSH/2.72 Win32',
  'OpenSSH_7 SSH_Version_Mapper',
  'PuTTY_Release_0.60 SSH_Version_Mapper',
  'PuTTY_Release_0.60 MindTerm',
]

const offerProbe = (software: string): Probe => ({
  name: `methods offered to ${software}`,
  async run(client) {
    client.write(`SSH-2.0-${software}\r\n`)
    const payload = await client.receive()
    return payload ? [...(readKexInit(payload)?.kex ?? ['no KEXINIT'])] : ['closed']
  },
})

const lineProbe = ([name, bytes]: (typeof lines)[number]): Probe => ({
  name: `line: ${name}`,
  async run(client) {
    client.write(bytes)
    client.end()
    const said = [await client.line()]
    for (let text = await client.line(); text; text = await client.line()) said.push(text)
    return said
  },
})

export const lineProbes: readonly Probe[] = [
  ...lines.map(lineProbe),
  ...fragments.map(fragmentProbe),
  ...noises.map(lineProbe),
  ...idents.map(identProbe),
  ...clients.map(offerProbe),
]
