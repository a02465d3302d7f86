import { createServer, type AddressInfo } from 'node:net'

/** A port of 127.0.0.1 that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** An offset under which all of these ports are free. */
export async function freeOffset(ports: readonly number[]): Promise<number> {
  for (let tries = 0; tries < 50; tries++) {
    const offset = 10_000 + Math.floor(Math.random() * 40_000)
    if ((await Promise.all(ports.map((port) => isFree(port + offset)))).every(Boolean)) return offset
  }
  throw new Error(`No offset leaves ${ports.join(', ')} free.`)
}

function isFree(port: number): Promise<boolean> {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
