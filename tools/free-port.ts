// Ports for programs that must come back on the port that they had.
import { randomInt } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Outgoing connections take theirs from 32768 on (Linux, `ip_local_port_range`): none takes these while a program restarts. */
export const [FIRST_PORT, PORTS_END] = [10_000, 32_000]
const TRIES = 100
/** Test files run side by side, and a port is bound some time after it was found: until then a file here keeps it. */
const RESERVED = join(tmpdir(), 'rookery-ports')

/** A port of 127.0.0.1 that is free, and that nobody else is given as long as this process runs. */
export async function freePort(): Promise<number> {
  for (let n = 0; n < TRIES; n++) {
    const port = randomInt(FIRST_PORT, PORTS_END)
    if (await reserved([port])) return port
  }
  throw new Error(`None of ${TRIES} ports from ${FIRST_PORT} to ${PORTS_END - 1} is free.`)
}

/** An offset under which all of these ports are free, and nobody else is given one of them. One may stand twice: by TCP and by UDP. */
export async function freeOffset(ports: readonly number[]): Promise<number> {
  for (let n = 0; n < TRIES; n++) {
    const offset = randomInt(FIRST_PORT, PORTS_END - Math.max(...ports))
    if (await reserved([...new Set(ports)].map((port) => port + offset))) return offset
  }
  throw new Error(`None of ${TRIES} offsets leaves ${ports.join(', ')} free.`)
}

/** Whether a program could listen on this port of 127.0.0.1. */
export function isFree(port: number): Promise<boolean> {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}

/** All of them, or none. */
async function reserved(ports: readonly number[]): Promise<boolean> {
  const taken: number[] = []
  for (const port of ports) if (reserve(port)) taken.push(port)
  const areAllFree = taken.length === ports.length && (await Promise.all(ports.map(isFree))).every(Boolean)
  if (!areAllFree) for (const port of taken) giveBack(port)
  return areAllFree
}

const given = new Set<number>()

function reserve(port: number): boolean {
  mkdirSync(RESERVED, { recursive: true })
  const file = fileOf(port)
  if (isLeftOver(file)) rmSync(file, { force: true })
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' })
  } catch {
    return false
  }
  if (given.size === 0) process.once('exit', () => given.forEach(giveBack))
  given.add(port)
  return true
}

function giveBack(port: number): void {
  given.delete(port)
  rmSync(fileOf(port), { force: true })
}

const fileOf = (port: number): string => join(RESERVED, String(port))

/** Of a process that was killed. */
function isLeftOver(file: string): boolean {
  try {
    process.kill(Number(readFileSync(file, 'utf8')), 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}
