import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { streamTarOf, tarOf, type PackedFile } from './tar.ts'

const deep = `${'folder/'.repeat(20)}file`
const FILES: readonly PackedFile[] = [
  { path: 'b/empty', bytes: Buffer.alloc(0) },
  { path: 'b/block', bytes: Buffer.alloc(512, 'x') },
  { path: 'a', bytes: Buffer.alloc(513, 'y'), mode: 0o755 },
  { path: deep, bytes: Buffer.from('deep') },
]

it('GNU tar reads names, modes, owners and sizes, also of paths that are too long for one field', () => {
  const { stdout, stderr, status } = spawnSync('tar', ['-tvf', '-', '--utc'], {
    input: tarOf(FILES, [{ path: 'secret', mode: 0o700 }]),
    encoding: 'utf8',
  })
  expect([status, stderr]).toEqual([0, ''])
  const rows = stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/\s+/))
  const named = new Map(rows.map(([mode, owner, size, , , path]) => [path, `${mode} ${owner} ${size}`]))
  expect(named.get('./b/empty')).toBe('-rw-r--r-- root/root 0')
  expect(named.get('./b/block')).toBe('-rw-r--r-- root/root 512')
  expect(named.get('./a')).toBe('-rwxr-xr-x root/root 513')
  expect(named.get('./secret/')).toBe('drwx------ root/root 0')
  expect(named.get('./b/')).toBe('drwxr-xr-x root/root 0')
  expect(named.get(`./${deep}`)).toBe('-rw-r--r-- root/root 4')
})

it('the bytes do not depend on the order in which the files come', () => {
  expect(tarOf([...FILES].reverse()).equals(tarOf(FILES))).toBe(true)
})

it('a path that fits no archive is refused with its name', () => {
  expect(() => tarOf([{ path: 'x'.repeat(101), bytes: Buffer.alloc(0) }])).toThrow(/x{101} is too long/)
})

it('an archive for other machines has its files alone, in the order in which they come', () => {
  const { stdout } = spawnSync('tar', ['-tf', '-'], {
    input: streamTarOf(FILES.slice(0, 3)),
    encoding: 'utf8',
  })
  expect(stdout).toBe('b/empty\nb/block\na\n')
})
