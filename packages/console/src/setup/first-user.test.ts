import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, inject, it, onTestFinished } from 'vitest'
import { readConfig } from '../config/config.ts'
import { openDataFolder } from '../data-folder.ts'
import { openContext } from '../open-context.ts'
import { systemWorld } from '../world/system.ts'
import { ensureFirstUser } from './first-user.ts'
import { ownFolder } from '../../test/own-folder.ts'

it('the password of a user is kept at the full cost, but in consoles of tests', async () => {
  const path = ownFolder(inject('scratch'))
  copyFileSync(inject('sqliteModel'), join(path, 'rookery.db'))
  const config = readConfig({
    ROOKERY_DATA_DIR: path,
    ROOKERY_BOOTSTRAP_EMAIL: 'ann@example.com',
    ROOKERY_BOOTSTRAP_PASSWORD: 'kestrel-over-the-harbour',
  })
  const world = systemWorld({ send: () => Promise.reject(new Error('this test has no outside')) })
  const context = await openContext(config, openDataFolder(path), world, pino({ level: 'silent' }))
  onTestFinished(() => context.close())
  await ensureFirstUser(context, config)
  const { password_hash } = await context.reader
    .selectFrom('user_account')
    .selectAll()
    .executeTakeFirstOrThrow()
  expect(password_hash).toMatch(/^scrypt\$15\$8\$3\$/)
})
