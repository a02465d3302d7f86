import { openDraws } from '../../draws.ts'
import { forge, textFile } from '../../forge.ts'
import { descriptor } from './descriptor.ts'

const USERS = ['app', 'api', 'backend', 'web', 'reporting', 'admin'] as const
/** None that a URL escapes. */
const CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

export default forge(descriptor, {
  file({ address: { hostname }, settings: { mongodb_database: database }, derive }) {
    const draws = openDraws(derive, 'connection')
    const user = `${draws.pick(USERS)}:${draws.text(CHARACTERS, 16)}`
    const lines = [
      'NODE_ENV=production',
      `PORT=${draws.pick(['3000', '4000', '8000', '8080'])}`,
      `MONGODB_URI=mongodb+srv://${user}@${hostname}/${database}?retryWrites=true&w=majority`,
      `SESSION_SECRET=${draws.text('0123456789abcdef', 64)}`,
    ]
    return textFile('.env', lines)
  },
})
