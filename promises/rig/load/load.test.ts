import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { getRequest, openLoader } from './load.ts'

it('a server that closes behind so many requests is asked on the next connection', async () => {
  const server = createServer((_, response) => response.end('x'))
  server.maxRequestsPerSocket = 3
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const loader = openLoader()
  try {
    const { port } = server.address() as AddressInfo
    const { hits, broken, refused } = await loader.run({
      host: '127.0.0.1',
      port,
      connections: 2,
      requests: [getRequest('/')],
      count: 20,
    })
    expect([hits, broken, refused]).toEqual([20, 0, 0])
  } finally {
    loader.stop()
    server.close()
  }
})
