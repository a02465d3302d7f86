// Whether a decoy stands: its port takes connections.
import { connect } from 'node:net'
import { HOST } from './product.ts'
import { until } from './until.ts'

/** Resolves once the port takes connections; throws when that takes too long. */
export const listens = (port: number, host = HOST): Promise<true> =>
  until(`port ${port} of ${host} takes connections`, () => answers(port, host))

const answers = (port: number, host: string): Promise<true | undefined> =>
  new Promise((resolve) => {
    const socket = connect(port, host)
    socket.once('error', () => resolve(undefined))
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
  })
