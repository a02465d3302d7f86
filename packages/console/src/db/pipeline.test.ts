import { expect, test } from 'vitest'
import { pipeline } from './pipeline.ts'

const full = new Error('The disk is full.')

test('on SQLite nothing follows a statement that failed, for the transaction may have ended there', async () => {
  const run: string[] = []
  const all = [
    () => Promise.resolve(run.push('first')),
    () => Promise.reject(full),
    () => Promise.resolve(run.push('third')),
  ]
  await expect(pipeline({ engine: 'sqlite' }, all)).rejects.toBe(full)
  expect(run).toEqual(['first'])
})

test('on PostgreSQL all go out at once, and a failure is told when all have ended', async () => {
  const run: string[] = []
  let answer = (): void => undefined
  const slow = new Promise<void>((resolve) => (answer = resolve)).then(() => run.push('slow'))
  const all = [
    () => Promise.reject(full),
    () => slow,
    () => {
      run.push('last is out')
      answer()
      return Promise.resolve()
    },
  ]
  await expect(pipeline({ engine: 'postgres' }, all)).rejects.toBe(full)
  expect(run).toEqual(['last is out', 'slow'])
})
