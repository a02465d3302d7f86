import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { freeOffset, freePort } from './free-port.ts'

test('no port is given twice, neither here nor to another process, nor as part of an offset', async () => {
  const ports = new Set<number>()
  for (let n = 0; n < 300; n++) ports.add(await freePort())
  const offset = await freeOffset([21, 22, 80, 22])
  for (const port of [21, 22, 80]) ports.add(port + offset)
  expect(ports.size).toBe(303)
  const program =
    "import { freePort } from './free-port.ts'\nfor (let n = 0; n < 300; n++) console.log(await freePort())"
  const others = execFileSync(process.execPath, ['--input-type=module-typescript', '-e', program], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  })
  const given = others.trim().split('\n').map(Number)
  expect(new Set(given).size).toBe(300)
  expect(given.filter((port) => ports.has(port))).toEqual([])
})
