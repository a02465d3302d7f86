// The server's side up to the login, as a MariaDB 10.11 without TLS: its default plugin, mysql_native_password, takes a login in
// one packet, and MySQL 8 replicates from a server of its version number.
import { MAX_LOGIN_BYTES, type LoginProtocol } from '../../login-protocol.ts'
import { readLogin } from './login.ts'
import { errorPacket, HEADER_BYTES, packet } from './packet.ts'
import type { MysqlLogin } from './visit.ts'

/** Replicas of MySQL refuse a version of 10: MariaDB puts 5.5.5 before its own. */
const VERSION = '5.5.5-10.11.19-MariaDB-0+deb12u1'
const PLUGIN = 'mysql_native_password'
/** The server's capabilities: all but CLIENT_SSL; the last four bytes are MariaDB's own. */
const CAPABILITIES = 0x81ff_f7fe
const MARIADB_CAPABILITIES = 0x1d
const LOGIN_SEQUENCE = 1
const UTF8MB4_GENERAL_CI = 45
const AUTOCOMMIT = 2

const outOfOrder = errorPacket({ code: 1156, sqlState: '08S01', message: 'Got packets out of order' }, 1)
const badHandshake = errorPacket({ code: 1043, sqlState: '08S01', message: 'Bad handshake' })

export const mysqlProtocol: LoginProtocol<MysqlLogin> = {
  greeting: (connectionId, random) => packet(0, handshake(connectionId, random)),
  read(bytes) {
    if (bytes.length < HEADER_BYTES) return { name: 'incomplete', bytes: HEADER_BYTES }
    if (bytes.readUInt8(3) !== LOGIN_SEQUENCE) return { name: 'refused', answer: outOfOrder }
    const length = HEADER_BYTES + bytes.readUIntLE(0, 3)
    if (length > MAX_LOGIN_BYTES) return { name: 'refused', answer: badHandshake }
    if (bytes.length < length) return { name: 'incomplete', bytes: length }
    const login = readLogin(bytes.subarray(HEADER_BYTES, length))
    return login ? { name: 'login', login } : { name: 'refused', answer: badHandshake }
  },
}

/** HandshakeV10. The challenge has 20 bytes, eight and twelve of them apart, none of which is a NUL. */
function handshake(connectionId: number, random: Uint8Array): Buffer {
  const challenge = Buffer.from(random.map((byte) => 0x21 + (byte % 0x5e)))
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
