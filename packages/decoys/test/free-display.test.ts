import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { freeDisplay } from './free-display.ts'

test('a display is passed over while there is its lock or its socket, also those of a server that died', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rookery-display-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  expect(freeDisplay(57, folder)).toBe(':57')
  writeFileSync(join(folder, '.X57-lock'), `${process.pid}\n`.padStart(11))
  expect(freeDisplay(57, folder)).toBe(':58')
  mkdirSync(join(folder, '.X11-unix'))
  writeFileSync(join(folder, '.X11-unix', 'X58'), '')
  expect(freeDisplay(57, folder)).toBe(':59')
})
