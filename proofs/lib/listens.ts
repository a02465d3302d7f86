// Whether a decoy stands: its port takes connections.
import { connect } from 'node:net'
import { HOST } from './product.ts'
import { until } from './until.ts'

/** Resolves once the port takes connections; throws when that takes too long. */
export const listens = (port: number): Promise<true> =>
  until(`port ${port} takes connections`, () => answers(port))

const answers = (port: number): Promise<true | undefined> =>
  new Promise((resolve) => {
    const socket = connect(port, HOST)
    socket.once('error', () => resolve(undefined))
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
  })
