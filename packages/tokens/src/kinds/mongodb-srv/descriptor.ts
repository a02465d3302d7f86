import { describeKind } from '../../descriptor.ts'

export const descriptor = describeKind({
  kind: 'mongodb-srv',
  name: 'MongoDB connection string',
  shelf: 'Databases',
  keywords: ['mongodb', 'mongo', 'atlas', 'srv', 'database', 'connection string', 'env', 'dns'],
  firedBy:
    'Somebody gives the connection string to mongosh, Compass, a driver or a script: each looks up the SRV record of its host name first.',
  silencedBy:
    'It stays silent where the zone of token names is not delegated to the console, and while a resolver answers from its cache (5 seconds).',
  placement: [
    'Leave it as .env in the folder of a web application, or in a backup of one.',
    'Commit it to a private repository, as people do by mistake.',
    'Put it into the variables of a pipeline or the settings of a container.',
  ],
  logtype: '16901',
  keys: ['qtype', 'qname', 'by_driver', 'src_host_is_resolver', 'client_subnet'],
  evidence: ['by_driver', 'qname', 'client_subnet'],
  meaning:
    'Somebody looked up the host name of the connection string. With by_driver true a program of MongoDB did, to connect. The source address is the resolver that asked for them.',
  next: [
    'Ask the resolver at the source address, or its log, which machine looked the name up at that time.',
    'Treat the place of the file as read by an intruder, and change every real password and key that lies there.',
    'Look in the logs of your real databases for the same machine.',
  ],
  downloads: true,
  example: {
    needs: ['dig'],
    touch: 'dig @127.0.0.1 -p {dns} +short SRV "_mongodb._tcp.$(field hostname)"',
  },
  settings: {
    mongodb_database: {
      type: 'text',
      description: 'The name of the database',
      default: 'app',
      maxLength: 63,
      characters: 'A-Za-z0-9_-',
    },
  },
})
