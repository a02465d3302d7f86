import { describeKind } from '../../descriptor.ts'

export const descriptor = describeKind({
  kind: 'vpn',
  name: 'VPN configuration',
  shelf: 'Files and folders',
  keywords: ['wireguard', 'vpn', 'tunnel', 'wg', 'conf', 'remote access', 'network', 'config'],
  firedBy:
    'Somebody brings the tunnel up: the client sends the first message of its handshake to the console.',
  silencedBy:
    'It stays silent where UDP to the endpoint is blocked, and where the configuration is read but not used. A client whose clock is off by more than three minutes is shown in the history alone.',
  placement: [
    'Leave it in the home folder or the downloads of an administrator, or in /etc/wireguard of a server.',
    'Put it on a file share, next to instructions for remote access.',
    'Keep it in a password safe or in a phone that should never connect.',
  ],
  logtype: '17022',
  keys: ['client_public_key', 'session_index', 'skew_s', 'replays', 'replayed_from'],
  evidence: ['client_public_key', 'skew_s'],
  meaning:
    'Somebody used the VPN configuration that the memo names. The message is sealed with the private key in it, so a scan cannot raise this. The source address is that of their connection.',
  next: [
    'Treat the place of the configuration as read by an intruder, and look at who read it there.',
    'Look for the source address in the logs of your real VPN and of everything that it leads to.',
    'If a colleague tried it, ask them where they found it.',
  ],
  downloads: true,
  example: {
    needs: ['wg-quick', 'sudo'],
    touch:
      'download office.conf && sudo wg-quick up ./office.conf && sleep 2 && sudo wg-quick down ./office.conf',
  },
})
