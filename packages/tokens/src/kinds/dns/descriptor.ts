import { describeKind } from '../../descriptor.ts'

export const descriptor = describeKind({
  kind: 'dns',
  name: 'DNS name',
  shelf: 'Hosts and networks',
  keywords: ['dns', 'host name', 'domain', 'resolver', 'hosts', 'lookup', 'server', 'vpn'],
  firedBy:
    'Any look-up of the host name, by any resolver: nobody has to connect. Labels in front of the name may carry data.',
  silencedBy:
    'It stays silent where the zone of token names is not delegated to the console, and while a resolver answers from its cache (10 seconds).',
  placement: [
    'Name it as a server in a configuration file, a script or a shell history that only an intruder would read.',
    'Put it into a list of hosts, a network plan or an inventory, as the address of a backup or a domain controller.',
    'Let a program look it up that should never run, with what it knows in front of the name.',
  ],
  logtype: '16000',
  keys: ['qtype', 'qname', 'data', 'src_host_is_resolver', 'client_subnet'],
  evidence: ['qname', 'data', 'client_subnet'],
  meaning:
    'Somebody looked up a host name that nothing uses. The source address is the resolver that asked for them.',
  next: [
    'Ask the resolver at the source address, or its log, which machine looked the name up at that time.',
    'Treat what lies where the memo says the name was planted as read by an intruder.',
    'Plant a new token there: this one is known.',
  ],
  example: {
    needs: ['dig'],
    touch: 'dig @127.0.0.1 -p {dns} +short A "$(field hostname)"',
  },
})
