// Extension: is the console there, and is my key good?
import { get, Nothing } from '../operation.ts'

export const ping = {
  ping: get('/ping', 'any', 'Ask whether the console answers and the key is good', {}, Nothing),
}
