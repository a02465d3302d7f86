// rookery-bird_<version>_<architecture>.deb: a Bird as a service, which its launcher starts (decision 0055).
import { KEYS_FILE, type ReleaseKey } from '@rookery/link/release/signature.ts'
import { VERSION } from '@rookery/bird/version.ts'
import { BIRD_FLAGS } from '../../bin/node-settings.mjs'
import { bundleBird, bundleLauncher } from '../release/bundle-bird.ts'
import { documentation, nativeFiles, nodeFiles } from './clone-files.ts'
import { optionLines } from './conf-file.ts'
import type { DebPackage } from './deb.ts'
import { controlOf } from './package-control.ts'
import { scriptsOf } from './scripts.ts'
import { serviceUnit } from './service-unit.ts'
import type { PackedFile } from './tar.ts'

const NAME = 'rookery-bird'
const FOLDER = 'usr/lib/rookery-bird'

const RELEASES = `/var/lib/${NAME}/releases`

const CONFIGURATION = `# Where this Bird belongs. Write both values without quotes, then
#   systemctl restart rookery-bird
# Address of the console: such as https://console.example.org.
ROOKERY_CONSOLE=
# Enrolment code, which \`rookery enrol\` prints on the console's machine. Without one the Bird waits until somebody commissions it
# in the console. It is used once: afterwards the Bird has a key of its own.
ROOKERY_ENROL=

${optionLines(['ROOKERY_BIRD_BIND', 'ROOKERY_BIRD_PORT_OFFSET', 'ROOKERY_LOG'])}`

/** `keys` sign the updates that the Bird takes; without any it takes none. */
export async function birdPackage(
  clone: string,
  version: string,
  keys: readonly ReleaseKey[] = [],
): Promise<DebPackage> {
  const unit = serviceUnit({
    description: 'Rookery Bird',
    documentation: `file:/usr/share/doc/${NAME}/install.md`,
    user: NAME,
    configuration: 'bird',
    command: [`/${FOLDER}/bin/node`, ...BIRD_FLAGS, `/${FOLDER}/launcher.mjs`, RELEASES, 'bird'],
    // Ports below 1024; the packets of a port scan (decision 0029).
    capabilities: ['CAP_NET_BIND_SERVICE', 'CAP_NET_RAW'],
    addressFamilies: ['AF_INET', 'AF_INET6', 'AF_UNIX', 'AF_NETLINK', 'AF_PACKET'],
  })
  return {
    control: controlOf(NAME, version, [
      'decoy device of a Rookery console',
      'Services that nobody has any business with. A touch is reported to the',
      'console, by connections that the Bird opens.',
    ]),
    scripts: scriptsOf({
      packageName: NAME,
      user: NAME,
      configuration: 'bird',
      folder: FOLDER,
      holds: "the Bird's identity and the events that the console does not have yet",
      isConfigured: {
        test: "grep -q '^ROOKERY_CONSOLE=.' /etc/rookery/bird.conf",
        otherwise:
          'write the address of the console into /etc/rookery/bird.conf, then: systemctl restart rookery-bird',
      },
    }),
    files: [
      ...nodeFiles(clone, FOLDER),
      ...(await launchedFiles(clone, FOLDER, keys)),
      ...documentation(clone, `usr/share/doc/${NAME}`),
      { path: `${FOLDER}/bird.conf`, bytes: Buffer.from(CONFIGURATION) },
      { path: `usr/lib/systemd/system/${NAME}.service`, bytes: Buffer.from(unit) },
    ],
  }
}

/** What the launcher needs: itself, the keys that it trusts, the program that it starts when there is no release, and its modules. */
export async function launchedFiles(
  clone: string,
  target: string,
  keys: readonly ReleaseKey[],
): Promise<PackedFile[]> {
  const program = await bundleBird(clone, VERSION)
  return [
    { path: `${target}/launcher.mjs`, bytes: await bundleLauncher(clone) },
    { path: `${target}/${KEYS_FILE}`, bytes: Buffer.from(`${JSON.stringify(keys, null, 2)}\n`) },
    ...[...program].map(([name, bytes]) => ({ path: `${target}/app/${name}`, bytes })),
    ...nativeFiles(clone, target),
  ]
}
