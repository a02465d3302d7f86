// Extension: is the console there, and is my key good?
import { get, group, Nothing } from '../operation.ts'

export const ping = group('Ping', 'Is the console there, and is my key good?', {
  ping: get('/ping', 'any', 'Ask whether the console answers and the key is good', {}, Nothing),
})
