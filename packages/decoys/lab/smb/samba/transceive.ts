// A request on a pipe, written and answered in one message.
import { ioctlBody } from './bodies.ts'
import { act, fileOf, type Act, type Client } from './client.ts'

const TRANSCEIVE = 0x0011c017

export const transceive = (name: string, bytes: (client: Client) => Buffer, length = 65_536): Act =>
  act(name, 11, (client) => ioctlBody(TRANSCEIVE, fileOf(client), bytes(client), length))
