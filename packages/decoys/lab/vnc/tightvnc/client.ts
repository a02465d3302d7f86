// What a client of TightVNC sends; latin1, one character a byte.
import { connect } from 'node:net'
import type { Endpoint } from '../../../test/observe.ts'
import { version } from '../client.ts'
import { responseTo } from '../../../src/services/vnc/protocol/guess.ts'

export const TIGHT = '\x10'
export const VNC_AUTH_BY_TIGHT = '\0\0\0\x02'

/** Numbers of ways to log in that the server does not offer, or that are none. */
export const TIGHT_TYPES = [0, 1, 3, 16, 19, 129, 0x0200_0000, 0xffff_ffff].map((number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(number)
  return bytes.toString('latin1')
})

/** Of the server that judges, which forgets wrong passwords at a right one. */
const PASSWORD = 'judges'

/** The key by which TightVNC keeps passwords in files. */
const FILE_KEY = String.fromCharCode(23, 82, 107, 6, 35, 78, 88, 7)
const PASSWORD_BYTES = 8

/** The file of `-rfbauth`. */
export const passwordFile = (): Buffer =>
  responseTo(Buffer.from(PASSWORD.padEnd(PASSWORD_BYTES, '\0'), 'latin1'), FILE_KEY)

const BEFORE_CHALLENGE = 'RFB 003.008\n\0\0\0\x02'.length
const CHALLENGE_BYTES = 16

/** Logs in by the right password, and leaves: no wrong one counts any more. */
export const forgetTries = ({ host, port }: Endpoint): Promise<void> =>
  new Promise((resolve) => {
    const socket = connect({ host, port, noDelay: true })
    let got = Buffer.alloc(0)
    socket.write(version(3), 'latin1')
    socket.on('data', (bytes) => {
      const had = got.length
      got = Buffer.concat([got, bytes])
      const end = BEFORE_CHALLENGE + CHALLENGE_BYTES
      if (had < end && got.length >= end)
        socket.write(responseTo(got.subarray(BEFORE_CHALLENGE, end), PASSWORD))
      if (got.length > end) socket.destroy()
    })
    socket.on('error', () => undefined)
    socket.on('close', () => resolve())
  })
