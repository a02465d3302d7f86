// Servers of a test's own on loopback; they close with the test.
import { createServer, type AddressInfo, type Server } from 'node:net'
import { onTestFinished } from 'vitest'
import { hostPort } from '../src/addresses/host-port.ts'

/** Listens on a free port; answers it. */
export async function listen(server: Server, host = '127.0.0.1'): Promise<number> {
  await new Promise<void>((resolve) => void server.listen(0, host, resolve))
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

/** A port that nobody listens on: it was free just now. */
export async function unusedPort(): Promise<number> {
  const server = createServer()
  const port = await listen(server)
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Takes an address, if it is free: another console of this machine may have it. */
export async function occupy(address: string): Promise<void> {
  const { host, port } = hostPort(address)
  const server = createServer()
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => server.once('error', () => resolve()).listen(port, host, resolve))
}
