// `rookery backup --every`: as a service runs it.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readInterval } from '../src/backup-schedule.ts'
import { begin, newFolder, rookery, servedFolder } from './run-rookery.ts'

const OLD = ['2020-01-01T030000.000Z', '2020-01-02T030000.000Z', '2020-01-03T030000.000Z']

/** A folder with three backups of earlier, one that was never finished, and something of somebody else. */
function folderWithOld(): string {
  const folder = join(newFolder(), 'backups')
  for (const name of [...OLD, '2020-01-04T030000.000Z.unfinished', 'notes'])
    mkdirSync(join(folder, name), { recursive: true })
  for (const name of OLD) writeFileSync(join(folder, name, 'backup.json'), '{}')
  return folder
}

it('backs up at once, keeps the newest, and what it keeps can be restored', async () => {
  const [dataDir, folder] = [await servedFolder(), folderWithOld()]
  const { child, ended, errors } = begin(['backup', folder, '--every', '6h', '--keep', '2', '--with-key'], {
    ROOKERY_DATA_DIR: dataDir,
  })
  await expect.poll(errors, { timeout: 60_000 }).toContain('backed up, and verified')
  child.kill('SIGTERM')
  expect((await ended).code).toBe(0)
  const [older, newer = '', ...rest] = readdirSync(folder).sort()
  expect([older, rest]).toEqual([OLD[2], ['notes']])
  const elsewhere = newFolder()
  expect(await rookery(['restore', join(folder, newer)], { ROOKERY_DATA_DIR: elsewhere })).toMatchObject({
    code: 0,
    stderr: '',
  })
})

it('says why there is none, deletes nothing, and runs on', async () => {
  const [dataDir, folder] = [newFolder(), folderWithOld()]
  const { child, ended, errors } = begin(['backup', folder, '--every', '1m', '--keep', '1'], {
    ROOKERY_DATA_DIR: dataDir,
  })
  await expect
    .poll(errors, { timeout: 60_000 })
    .toContain(`no backup, and nothing is deleted: There is no database at ${join(dataDir, 'rookery.db')}.`)
  expect(child.exitCode).toBeNull()
  child.kill('SIGTERM')
  expect((await ended).code).toBe(0)
  expect(readdirSync(folder).filter((name) => OLD.includes(name))).toEqual(OLD)
})

it('takes minutes, hours and days, and refuses anything else by name', async () => {
  expect(['30m', '6h', '1d', '24d'].map(readInterval)).toEqual([
    1_800_000, 21_600_000, 86_400_000, 2_073_600_000,
  ])
  for (const wrong of ['', '1', '0d', '25d', '1w', '-1h', '1.5h', '1d ', '99999999h'])
    expect(() => readInterval(wrong), wrong).toThrow(
      `such as 30m, 6h or 1d, at most 24d, not ${JSON.stringify(wrong)}.`,
    )
  const env = { ROOKERY_DATA_DIR: newFolder() }
  const said = async (...args: string[]): Promise<unknown[]> => {
    const { code, stderr } = await rookery(['backup', 'somewhere', ...args], env)
    return [code, stderr]
  }
  expect(await said('--every', 'daily')).toEqual([
    1,
    expect.stringContaining('--every must be minutes, hours or days'),
  ])
  expect(await said('--every', '1d', '--keep', '0')).toEqual([
    1,
    expect.stringContaining('--keep must be a whole number from 1'),
  ])
  expect(await said('--keep', '3')).toEqual([1, '--keep needs --every.\n'])
})
