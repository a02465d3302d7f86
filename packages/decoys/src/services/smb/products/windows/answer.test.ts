// Claims of [MS-SMB2] about credits, compounds, signatures and answers that come later, by section.
import { expect, it } from 'vitest'
import { join, u16, u32, zeros } from '../../../../windows/fields.ts'
import type { BirdSettings } from '../../../../session/session.ts'
import { COMMAND, FLAG } from '../../protocol/codec/header.ts'
import { STATUS } from '../../protocol/codec/status.ts'
import { EMPTY_NT_HASH, sessionBaseKey } from '../../../../windows/netntlm.ts'
import { readAuthenticate } from '../../../../windows/ntlm.ts'
import {
  FIRST_PREAUTH_HASH,
  isSignedBy,
  preauthHash,
  sign,
  signingKey,
  usualSigning,
} from '../../protocol/signing/sign.ts'
import {
  closeBody,
  connected,
  contentOf,
  context,
  createBody,
  negotiateBody,
  outputOf,
  namesIn,
  preauth,
  queryDirectoryBody,
  readBody,
  setupBody,
  smbClient,
} from '../../../../../lab/smb/windows/client.ts'
import {
  authenticateToken,
  initToken,
  innerToken,
  negotiateToken,
  readChallenge,
  responseToken,
} from '../../../../../lab/windows/ntlm-client.ts'

const ECHO = join(u16(4), u16(0))
const RELATED = Buffer.alloc(16, 0xff)

/** Messages as one compound: all but the last padded and linked. */
const compound = (...messages: readonly Buffer[]): Buffer =>
  join(
    ...messages.map((message, i) => {
      if (i === messages.length - 1) return message
      const padded = join(message, zeros(-message.length & 7))
      padded.writeUInt32LE(padded.length, 20)
      return padded
    }),
  )

it('[MS-SMB2] 3.3.5.2.3: a message id that was used closes the connection', () => {
  const client = connected()
  client.send(client.message(COMMAND.echo, ECHO, { messageId: 1n }))
  expect(client.state.closed).toBe('reset')
})

it('[MS-SMB2] 3.3.5.2.3: a message id beyond the credits closes the connection', () => {
  const client = connected()
  client.send(client.message(COMMAND.echo, ECHO, { messageId: 100_000n }))
  expect(client.state.closed).toBe('reset')
})

it('[MS-SMB2] 3.3.1.2: message ids may be used in any order', () => {
  const client = connected()
  const next = client.state.messageId
  for (const id of [next + 2n, next, next + 1n])
    expect(client.request(COMMAND.echo, ECHO, { messageId: id }).header.status).toBe(STATUS.success)
})

it('[MS-SMB2] 3.3.1.2: as many credits are granted as are asked for, up to 512 in all', () => {
  const client = smbClient()
  expect(client.request(COMMAND.negotiate, negotiateBody([0x0210]), { credits: 10 }).header.credits).toBe(10)
  const { header } = client.request(COMMAND.echo, ECHO, { credits: 8_000 })
  expect(header.credits).toBe(512 - 9)
  expect(client.request(COMMAND.echo, ECHO, { credits: 8_000 }).header.credits).toBe(1)
})

it('[MS-SMB2] 3.3.1.2: a client that asks for none keeps one', () => {
  const client = smbClient()
  expect(client.request(COMMAND.negotiate, negotiateBody([0x0210]), { credits: 0 }).header.credits).toBe(1)
})

it('[MS-SMB2] 3.3.5.2.7.2: related requests use the file that the first one opened', () => {
  const client = connected()
  const related = { flags: FLAG.related }
  const [opened, listed, closed] = client.send(
    compound(
      client.message(COMMAND.create, createBody('Reports', { options: 1 })),
      client.message(COMMAND.queryDirectory, queryDirectoryBody(RELATED, '*'), related),
      client.message(COMMAND.close, closeBody(RELATED), related),
    ),
  )
  expect([opened?.header.status, listed?.header.status, closed?.header.status]).toEqual([0, 0, 0])
  expect(namesIn(outputOf(listed!))).toEqual(['.', '..', 'Budget 2026.xlsx', 'notes.txt'])
  expect(listed!.header.flags & FLAG.related).toBe(FLAG.related)
})

it('[MS-SMB2] 3.3.5.2.7.2: if the first one fails, the related ones fail', () => {
  const client = connected()
  const answers = client.send(
    compound(
      client.message(COMMAND.create, createBody('nothing.txt')),
      client.message(COMMAND.read, readBody(RELATED, 0, 10), { flags: FLAG.related }),
    ),
  )
  expect(answers.map(({ header }) => header.status)).toEqual([
    STATUS.objectNameNotFound,
    STATUS.objectNameNotFound,
  ])
})

it('[MS-SMB2] 3.3.5.2.7.1: unrelated requests of a compound stand for themselves', () => {
  const client = connected()
  const answers = client.send(
    compound(
      client.message(COMMAND.create, createBody('nothing.txt')),
      client.message(COMMAND.create, createBody('readme.txt')),
    ),
  )
  expect(answers.map(({ header }) => header.status)).toEqual([STATUS.objectNameNotFound, STATUS.success])
})

it('[MS-SMB2] 3.3.5.2.7.2: without a file before it a related request is STATUS_INVALID_HANDLE', () => {
  const client = connected()
  const answers = client.send(
    compound(
      client.message(COMMAND.echo, ECHO),
      client.message(COMMAND.read, readBody(RELATED, 0, 10), { flags: FLAG.related }),
    ),
  )
  expect(answers.map(({ header }) => header.status)).toEqual([STATUS.success, STATUS.invalidHandle])
})

it('[MS-SMB2] 3.3.5.2.7: related and unrelated requests are not mixed, and the first is related to none', () => {
  const client = connected()
  const echo = (flags: number): Buffer => client.message(COMMAND.echo, ECHO, { flags })
  for (const flags of [[FLAG.related], [0, FLAG.related, 0], [FLAG.related, FLAG.related]])
    for (const { header } of client.send(compound(...flags.map(echo))))
      expect(header.status).toBe(STATUS.invalidParameter)
})

it('[MS-SMB2] 3.3.5.2.6: a command that does not exist closes the connection', () => {
  const client = connected()
  client.send(client.message(19, ECHO))
  expect(client.state.closed).toBe('reset')
})

it.each([
  [0x0202, 0, STATUS.success],
  [0x0210, 0, STATUS.success],
  [0x0300, 2, STATUS.success],
])('[MS-SMB2] 3.3.5.2.5: in dialect %i a charge of %i pays for 64 KiB or more', (dialect, charge, status) => {
  const client = connected({ dialects: [dialect] })
  const id = client.open('readme.txt')
  const more = { creditCharge: charge }
  expect(client.request(COMMAND.read, readBody(id, 0, 65_536), more).header.status).toBe(status)
})

it('[MS-SMB2] 3.3.5.2.5: a request that its credits do not pay for is STATUS_INVALID_PARAMETER', () => {
  const client = connected()
  const id = client.open('readme.txt')
  expect(client.request(COMMAND.read, readBody(id, 0, 65_537)).header.status).toBe(STATUS.invalidParameter)
  const paid = client.request(COMMAND.read, readBody(id, 0, 65_537), { creditCharge: 2 })
  expect(contentOf(paid).length).toBe(65_537)
})

it('[MS-SMB2] 3.3.4.1.3: each answer of a compound begins at a multiple of eight bytes', () => {
  const client = connected()
  const answers = client.send(
    compound(
      client.message(COMMAND.echo, ECHO),
      client.message(COMMAND.echo, ECHO),
      client.message(COMMAND.echo, ECHO),
    ),
  )
  expect(answers.map(({ header }) => header.nextCommand)).toEqual([72, 72, 0])
})

it('[MS-SMB2] 3.3.5.2.7: a compound that is cut in the middle of a message closes the connection', () => {
  for (const next of [4, 60, 65, 1_000]) {
    const client = connected()
    client.send(client.message(COMMAND.echo, ECHO, { nextCommand: next }))
    expect(client.state.closed).toBe('reset')
  }
})

it('[MS-SMB2] 3.3.5.2.5: the answer to one compound stays bounded', () => {
  const client = connected()
  const id = client.open('readme.txt')
  const reads = Array.from({ length: 30 }, () => client.message(COMMAND.read, readBody(id, 0, 65_536)))
  const answers = client.send(compound(...reads))
  expect(answers[0]?.header.status).toBe(STATUS.success)
  expect(answers.at(-1)?.header.status).toBe(STATUS.insufficientResources)
  expect(answers.reduce((sum, { message }) => sum + message.length, 0)).toBeLessThan(1_400_000)
})

const notifyBody = (id: Buffer): Buffer => join(u16(32), u16(0), u32(4_096), id, u32(0x17), u32(0))

it('[MS-SMB2] 3.3.5.19: a request for changes is pending; CANCEL ends it', () => {
  const client = connected()
  const id = client.open('', { options: 1 })
  const { header } = client.request(COMMAND.changeNotify, notifyBody(id))
  expect([header.status, header.flags & FLAG.async]).toEqual([STATUS.pending, FLAG.async])
  const cancelled = client.request(COMMAND.cancel, ECHO, { flags: FLAG.async, asyncId: header.asyncId })
  expect(cancelled.header).toMatchObject({
    status: STATUS.cancelled,
    command: COMMAND.changeNotify,
    messageId: header.messageId,
    asyncId: header.asyncId,
    credits: 0,
  })
})

it('[MS-SMB2] 3.3.5.16: CANCEL of nothing has no answer', () => {
  const client = connected()
  expect(client.send(client.message(COMMAND.cancel, ECHO, { flags: FLAG.async, asyncId: 99n }))).toEqual([])
  expect(client.state.closed).toBeUndefined()
})

it('[MS-SMB2] 3.3.5.19: closing a folder ends the request with STATUS_NOTIFY_CLEANUP', () => {
  const client = connected()
  const id = client.open('', { options: 1 })
  client.request(COMMAND.changeNotify, notifyBody(id))
  const answers = client.send(client.message(COMMAND.close, closeBody(id)))
  expect(answers.map(({ header }) => header.status)).toEqual([STATUS.success, STATUS.notifyCleanup])
})

it('[MS-SMB2] 3.3.5.19: a file is no folder; 32 requests may wait', () => {
  const client = connected()
  const file = client.open('readme.txt')
  expect(client.request(COMMAND.changeNotify, notifyBody(file)).header.status).toBe(STATUS.invalidParameter)
  const id = client.open('', { options: 1 })
  const statuses = Array.from(
    { length: 33 },
    () => client.request(COMMAND.changeNotify, notifyBody(id)).header.status,
  )
  expect([statuses[31], statuses[32]]).toEqual([STATUS.pending, STATUS.insufficientResources])
})

it('[MS-SMB2] 3.3.5.17: ECHO is answered without a session', () => {
  const client = smbClient()
  client.negotiate()
  expect(client.request(COMMAND.echo, ECHO).header.status).toBe(STATUS.success)
})

it('[MS-SMB2] 3.3.5: a body of the wrong size is STATUS_INVALID_PARAMETER', () => {
  const client = connected()
  const commands = Object.values(COMMAND).filter(
    (each) =>
      ![COMMAND.negotiate, COMMAND.cancel, COMMAND.logoff, COMMAND.treeDisconnect].includes(each as 0),
  )
  for (const command of commands)
    expect([command, client.request(command, join(u16(7), zeros(80))).header.status]).toEqual([
      command,
      STATUS.invalidParameter,
    ])
})

it('a write longer than any message that is kept is read past, and refused', () => {
  const client = connected()
  const id = client.open('readme.txt')
  const length = 500_000
  const head = join(u16(49), u16(112), u32(length), zeros(8), id, zeros(16))
  const message = client.message(COMMAND.write, head, { creditCharge: 8 })
  const frame = Buffer.alloc(4)
  frame.writeUInt32BE(message.length + length)
  const answer = client.receive(join(frame, message, zeros(100_000)))
  expect(answer.readUInt32LE(4 + 8)).toBe(STATUS.accessDenied)
  for (let left = length - 100_000; left > 0; left -= 50_000) client.receive(zeros(50_000))
  expect(client.request(COMMAND.echo, ECHO).header.status).toBe(STATUS.success)
})

it('a message that no request can be as long as closes the connection', () => {
  const client = connected()
  client.receive(join(Buffer.from([0, 0x7f, 0xff, 0xff]), zeros(200)))
  expect(client.state.closed).toBe('reset')
})

/** A client as Guest with an empty password: the one whose key both sides know. */
function keyed(dialect: number, settings: BirdSettings = {}, contexts = preauth()) {
  const client = smbClient({ settings })
  const messages: Buffer[] = []
  const request = (command: number, body: Buffer) => {
    const message = client.message(command, body)
    const [answer] = client.send(message)
    messages.push(message, answer!.message)
    return answer!
  }
  request(COMMAND.negotiate, negotiateBody([dialect], contexts))
  const first = request(COMMAND.sessionSetup, setupBody(initToken(negotiateToken())))
  client.state.sessionId = first.header.sessionId
  const challenge = innerToken(first.body)
  const token = authenticateToken(challenge, { user: 'Guest', domain: 'X', ntHash: EMPTY_NT_HASH })
  request(COMMAND.sessionSetup, setupBody(responseToken(token)))
  const login = readAuthenticate(token)!
  const base = sessionBaseKey(EMPTY_NT_HASH, login, readChallenge(challenge).challenge)!
  const hash = messages.slice(0, -1).reduce(preauthHash, FIRST_PREAUTH_HASH)
  return { client, key: signingKey(base, dialect as 0x0311, hash) }
}

it.each([0x0202, 0x0210, 0x0300, 0x0302, 0x0311] as const)(
  '[MS-SMB2] 3.3.4.1.1: in dialect %i a signed request has a signed answer',
  (dialect) => {
    const { client, key } = keyed(dialect)
    const [answer] = client.send(sign(client.message(COMMAND.echo, ECHO), key, usualSigning(dialect)))
    expect(answer?.header.status).toBe(STATUS.success)
    expect(answer!.header.flags & FLAG.signed).toBe(FLAG.signed)
    expect(isSignedBy(answer!.message, key, usualSigning(dialect))).toBe(true)
  },
)

/** What Windows 11 and Server 2022 offer: AES-GMAC, AES-CMAC and HMAC-SHA256. */
const SIGNINGS = context(8, join(u16(3), u16(2), u16(1), u16(0)))

it.each(['windows-server-2019', 'windows-10'])(
  '[MS-SMB2] 2.2.3.1.7: %s knows no signing capabilities: also a client that prefers AES-GMAC gets AES-CMAC',
  (mode) => {
    const { client, key } = keyed(0x0311, { 'smb.mode': mode }, [...preauth(), SIGNINGS])
    const [answer] = client.send(sign(client.message(COMMAND.echo, ECHO), key, usualSigning(0x0311)))
    expect(answer?.header.status).toBe(STATUS.success)
    expect(isSignedBy(answer!.message, key, usualSigning(0x0311))).toBe(true)
  },
)

it('[MS-SMB2] 3.3.5.2.4: a wrong signature is STATUS_ACCESS_DENIED', () => {
  const { client, key } = keyed(0x0311)
  const message = sign(client.message(COMMAND.echo, ECHO), key, usualSigning(0x0311))
  message[50]! ^= 1
  expect(client.send(message)[0]?.header.status).toBe(STATUS.accessDenied)
})

it('[MS-SMB2] 3.3.4.1.1: each message of a signed compound is signed by itself', () => {
  const { client, key } = keyed(0x0300)
  client.connect()
  const id = client.open('readme.txt')
  const one = join(client.message(COMMAND.read, readBody(id, 0, 5)), zeros(7))
  one.writeUInt32LE(one.length, 20)
  const two = client.message(COMMAND.close, closeBody(id))
  const answers = client.send(
    join(sign(one, key, usualSigning(0x0300)), sign(two, key, usualSigning(0x0300))),
  )
  expect(contentOf(answers[0]!).length).toBe(5)
  for (const { message } of answers) expect(isSignedBy(message, key, usualSigning(0x0300))).toBe(true)
})
