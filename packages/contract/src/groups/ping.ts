// Extension: checks the connection and the key.
import { get, group, Nothing } from '../operation.ts'

export const ping = group('Ping', 'Checks the connection to the console, and the API key.', {
  ping: get('/ping', 'any', 'everybody', 'Check that the console answers and the key is valid', {}, Nothing),
})
