// The certificate of a real server.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

/** As make-ssl-cert makes it: the files of key and certificate. */
export function makeCertificate(folder: string): readonly [key: string, cert: string] {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  spawnSync('openssl', [
    ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '3650', '-subj', '/CN=nas-000000'],
    ...['-addext', 'basicConstraints=CA:FALSE', '-addext', 'subjectAltName=DNS:nas-000000'],
    ...['-keyout', key, '-out', cert],
  ])
  return [key, cert]
}
