// The server's side up to the login, as a MariaDB 10.11 without TLS, from whose version number MySQL 8 replicates. Its default
// plugin, mysql_native_password, takes a login in one packet; a client that used another one is asked again.
import { MAX_LOGIN_BYTES, type LoginProtocol, type LoginStep, type Question } from '../../login-protocol.ts'
import { readLogin, type LoginPacket } from './login.ts'
import { errorPacket, errorPacket320, HEADER_BYTES, packet } from './packet.ts'
import type { MysqlLogin } from './visit.ts'

/** Replicas of MySQL refuse a version of 10: MariaDB puts 5.5.5 before its own. */
const VERSION = '5.5.5-10.11.19-MariaDB-0+deb12u1'
const PLUGIN = 'mysql_native_password'
/** The server's capabilities: all but CLIENT_SSL; the last four bytes are MariaDB's own. */
const CAPABILITIES = 0x81ff_f7fe
const MARIADB_CAPABILITIES = 0x1d
const LOGIN_SEQUENCE = 1
const REPLY_SEQUENCE = 3
/** SCRAMBLE_LENGTH: what the plugin makes of a password. */
const SCRAMBLE_BYTES = 20
const UTF8MB4_GENERAL_CI = 45
const AUTOCOMMIT = 2

type Step = LoginStep<MysqlLogin>

const outOfOrder = (sequence: number): Buffer =>
  errorPacket({ code: 1156, sqlState: '08S01', message: 'Got packets out of order' }, sequence)
const badHandshake = (sequence: number): Buffer =>
  errorPacket({ code: 1043, sqlState: '08S01', message: 'Bad handshake' }, sequence)
const tooOld = errorPacket320(
  1251,
  'Client does not support authentication protocol requested by server; consider upgrading MariaDB client',
  LOGIN_SEQUENCE + 1,
)

export const mysqlProtocol: LoginProtocol<MysqlLogin> = {
  greeting: (connectionId, random) => packet(0, handshake(connectionId, random)),
  read: (bytes) =>
    readPacket(bytes, LOGIN_SEQUENCE, (payload) => {
      const login = readLogin(payload)
      return login
        ? loginStep(login, HEADER_BYTES + payload.length)
        : { name: 'refused', answer: badHandshake(LOGIN_SEQUENCE + 1) }
    }),
}

function readPacket(bytes: Buffer, sequence: number, read: (payload: Buffer) => Step): Step {
  if (bytes.length < HEADER_BYTES) return { name: 'incomplete', bytes: HEADER_BYTES }
  if (bytes.readUInt8(3) !== sequence) return { name: 'refused', answer: outOfOrder(sequence) }
  const length = HEADER_BYTES + bytes.readUIntLE(0, 3)
  if (length > MAX_LOGIN_BYTES) return { name: 'refused', answer: badHandshake(sequence + 1) }
  if (bytes.length < length) return { name: 'incomplete', bytes: length }
  return read(bytes.subarray(HEADER_BYTES, length))
}

function loginStep({ login, password, plugin = PLUGIN, isOld }: LoginPacket, loginBytes: number): Step {
  if (isOld) return { name: 'login', login, refusal: tooOld }
  if (plugin.toLowerCase() !== PLUGIN) return { name: 'login', login, question: switchTo(login, loginBytes) }
  return password === undefined || isScramble(password)
    ? { name: 'login', login }
    : { name: 'login', login, refusal: badHandshake(LOGIN_SEQUENCE + 1) }
}

const isScramble = ({ length }: Buffer): boolean => length === 0 || length === SCRAMBLE_BYTES

/** AuthSwitchRequest, with the challenge of the greeting. */
const switchTo = (login: MysqlLogin, loginBytes: number): Question<MysqlLogin> => ({
  loginBytes,
  ask: (random) =>
    packet(
      LOGIN_SEQUENCE + 1,
      Buffer.concat([Buffer.from(`\xfe${PLUGIN}\0`, 'latin1'), challengeOf(random), Buffer.from([0])]),
    ),
  read: (bytes) =>
    readPacket(bytes, REPLY_SEQUENCE, (payload) =>
      isScramble(payload)
        ? { name: 'login', login: { ...login, hasPassword: payload.length > 0 } }
        : { name: 'refused', answer: badHandshake(REPLY_SEQUENCE + 1) },
    ),
})

/** It has 20 bytes, none of which is a NUL. */
const challengeOf = (random: Uint8Array): Buffer => Buffer.from(random.map((byte) => 0x21 + (byte % 0x5e)))

/** HandshakeV10. Eight and twelve bytes of the challenge stand apart. */
function handshake(connectionId: number, random: Uint8Array): Buffer {
  const challenge = challengeOf(random)
  const fixed = Buffer.alloc(18)
  fixed.writeUInt16LE(CAPABILITIES & 0xffff, 0)
  fixed.writeUInt8(UTF8MB4_GENERAL_CI, 2)
  fixed.writeUInt16LE(AUTOCOMMIT, 3)
  fixed.writeUInt16LE(CAPABILITIES >>> 16, 5)
  fixed.writeUInt8(challenge.length + 1, 7)
  fixed.writeUInt32LE(MARIADB_CAPABILITIES, 14)
  const id = Buffer.alloc(4)
  id.writeUInt32LE(connectionId % 2 ** 32)
  return Buffer.concat([
    Buffer.from([10]),
    Buffer.from(`${VERSION}\0`),
    id,
    challenge.subarray(0, 8),
    Buffer.from([0]),
    fixed,
    challenge.subarray(8),
    Buffer.from(`\0${PLUGIN}\0`),
  ])
}
