import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { CERTIFICATE } from '../../test/certificate.ts'
import { openMailSink } from '../../test/mail-sink.ts'
import { ownFolder } from '../../test/own-folder.ts'
import { readConfig } from '../config/config.ts'
import { openRealWorld } from './real.ts'

const letter = {
  to: ['ops@example.com'],
  subject: 'A test',
  text: 'What happened',
  html: '<p>What happened</p>',
  id: 'msg_1',
  timeoutMs: 5_000,
}

it('mail follows the options: server, login, sender, own certificate authorities, allowed addresses', async () => {
  const folder = ownFolder()
  const ca = join(folder, 'ca.pem')
  writeFileSync(ca, CERTIFICATE)
  const sink = await openMailSink({
    onAuth: ({ username }, _session, done) => done(null, { user: username ?? '' }),
  })
  const env = {
    ROOKERY_SMTP_URL: `smtp://user:secret@127.0.0.1:${sink.port}`,
    ROOKERY_SMTP_FROM: 'Decoys <decoys@example.org>',
    ROOKERY_OUTBOUND_ALLOW: '127.0.0.1/32',
    ROOKERY_OUTBOUND_CA: ca,
  }
  await openRealWorld(readConfig(env)).mail?.send(letter)
  expect(sink.mails).toMatchObject([{ from: 'decoys@example.org', secure: true, user: 'user' }])
  const strict = openRealWorld(readConfig({ ...env, ROOKERY_OUTBOUND_CA: '' })).mail
  await expect(strict?.send(letter)).rejects.toThrow(/certificate/)
  const closed = openRealWorld(readConfig({ ...env, ROOKERY_OUTBOUND_ALLOW: '' })).mail
  await expect(closed?.send(letter)).rejects.toThrow('127.0.0.1 is not a public address')
  expect(sink.mails).toHaveLength(1)
})

it('there is no mail without a server, and no server without a sender', () => {
  expect(openRealWorld(readConfig({})).mail).toBeUndefined()
  expect(() => openRealWorld(readConfig({ ROOKERY_SMTP_URL: 'smtp://relay.example.com' }))).toThrow(
    'ROOKERY_SMTP_URL needs ROOKERY_SMTP_FROM',
  )
  for (const [name, value] of [
    ['ROOKERY_SMTP_URL', 'smtp://u:s3cret@relay?starttls=never'],
    ['ROOKERY_SMTP_FROM', 'nobody'],
    ['ROOKERY_SMS_URL', 'tel:+49'],
    ['ROOKERY_TIMEZONE', 'Europe/Nowhere'],
  ] as const) {
    expect(() => readConfig({ [name]: value })).toThrow(name)
    if (name === 'ROOKERY_SMTP_URL') expect(() => readConfig({ [name]: value })).not.toThrow(/s3cret/)
  }
})
