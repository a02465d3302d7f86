import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { ownFolder } from '../../../test/own-folder.ts'
import { findTornLog } from './torn-log.ts'

const HEADER = 32
const FRAME = 24 + 4_096

/** A database with so many commits, one row of a page or two each, and how many rows a kill leaves of it. */
function open(commits: number) {
  const path = join(ownFolder(), 'a.db')
  const database = new DatabaseSync(path)
  onTestFinished(() => database.close())
  database.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA wal_autocheckpoint=0')
  database.exec('CREATE TABLE touch (id INTEGER PRIMARY KEY, text TEXT)')
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  const insert = database.prepare('INSERT INTO touch (text) VALUES (?)')
  for (let n = 0; n < commits; n++) insert.run('x'.repeat(1_000))
  const log = readFileSync(`${path}-wal`)
  let copies = 0

  /** As a kill leaves it, with this log. */
  function killed(itsLog: Buffer): { found: ReturnType<typeof findTornLog>; rows: () => number } {
    const copy = `${path}.${copies++}`
    copyFileSync(path, copy)
    writeFileSync(`${copy}-wal`, itsLog)
    return {
      found: findTornLog(copy),
      rows() {
        const opened = new DatabaseSync(copy)
        const { n } = opened.prepare('SELECT count(*) AS n FROM touch').get() as { n: number }
        opened.close()
        return n
      },
    }
  }
  return { path, database, insert, log, frames: (log.length - HEADER) / FRAME, killed }
}

it('one flipped byte is found wherever it stands, with the transactions that it costs', () => {
  const { frames, log, killed } = open(200)
  for (const frame of [0, 1, Math.floor(frames / 2), frames - 8])
    for (const inside of frame === 0 ? [1, 10, 17, 25] : [0, 5, 9, 17, 24, 4_000]) {
      const flipped = Buffer.from(log)
      const at = frame === 0 ? inside : HEADER + (frame - 1) * FRAME + inside
      flipped[at] = (flipped[at] ?? 0) ^ 0xff
      const { found, rows: countRows } = killed(flipped)
      const rows = countRows()
      expect([frame, inside, rows < 200, found?.frame]).toEqual([frame, inside, true, frame])
      expect(Math.abs((found?.lost ?? 0) - (200 - rows))).toBeLessThanOrEqual(1)
    }
})

it('a log that a kill or a power cut left is none: whole, cut anywhere, or with a last transaction that came in part', () => {
  const { frames, log, killed } = open(20)
  for (let at = 0; at <= 500; at++) {
    const cut = log.subarray(0, Math.floor((log.length * at) / 500))
    expect([at, killed(cut).found]).toEqual([at, undefined])
  }
  const partly = Buffer.from(log).fill(0, HEADER + (frames - 2) * FRAME, HEADER + (frames - 1) * FRAME)
  expect(killed(partly).found).toBeUndefined()
})

it('frames of an earlier round of the log are none of this one, nor are those of a transaction that was rolled back', () => {
  const { path, database, insert } = open(60)
  database.exec('PRAGMA wal_checkpoint(RESTART)')
  for (let n = 0; n < 3; n++) insert.run('second round')
  database.exec('PRAGMA cache_size=10; BEGIN')
  for (let n = 0; n < 300; n++) insert.run('y'.repeat(1_000))
  database.exec('ROLLBACK')
  for (let n = 0; n < 3; n++) insert.run('and on')
  expect(findTornLog(path)).toBeUndefined()
})
