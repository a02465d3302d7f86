// The service behind real sockets: each of its three ports answers.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { openTestHost } from '../../../test/test-host.ts'
import { descriptors } from '../../descriptors.gen.ts'
import { defaultSettings } from '../../../test/default-settings.ts'
import smb from './service.ts'
import { transcripts } from '../../../lab/smb/windows/transcript.ts'

async function listening() {
  const { host, touches } = openTestHost()
  onTestFinished(() => host.close())
  const settings = defaultSettings(descriptors, { 'smb.enabled': true, 'smb.netbiosname': 'FILES' })
  expect(await host.apply(smb.listeners(settings))).toEqual([])
  const portOf = (port: number): number => host.listening().find((each) => each.port === port)?.boundPort ?? 0
  return { host, touches, portOf }
}

/** What the server sends first to somebody who sends this. */
async function ask(port: number, bytes: Buffer): Promise<Buffer> {
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.write(bytes)
  const [answer] = (await once(socket, 'data')) as [Buffer]
  return answer
}

test('port 445 negotiates with smbclient', async () => {
  const { portOf } = await listening()
  const recorded = transcripts().find(([name]) => name === 'smbclient-3.1.1.json')?.[1]
  const [first] = recorded?.conversations[0]?.exchanges ?? []
  const answer = await ask(portOf(445), Buffer.from(first?.client ?? '', 'base64'))
  expect([answer.readUInt32BE(4), answer.readUInt32LE(12), answer.readUInt16LE(72)]).toEqual([
    0xfe534d42, 0, 0x0311,
  ])
})

test('port 139 wants a session first', async () => {
  const { portOf } = await listening()
  expect(await ask(portOf(139), Buffer.from('00000004fe534d42', 'hex'))).toEqual(
    Buffer.from('830000018f', 'hex'),
  )
})

test('port 137 names the machine', async () => {
  const { portOf } = await listening()
  const socket = createSocket('udp4')
  onTestFinished(() => void socket.close())
  const question = `12340000000100000000000020${Buffer.from(`CK${'A'.repeat(30)}`).toString('hex')}0000210001`
  socket.send(Buffer.from(question, 'hex'), portOf(137), '127.0.0.1')
  const [answer] = (await once(socket, 'message')) as [Buffer]
  expect(answer.toString('latin1')).toContain('FILES')
})
